"use strict";
/* What the other scripts share. */
const SVG = "http://www.w3.org/2000/svg";

const made = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const tag = (name, attributes = {}, ...children) => made(document.createElement(name), attributes, children);
const drawn = (name, attributes = {}, ...children) => made(document.createElementNS(SVG, name), attributes, children);
const plain = x => x === null ? "unknown" : x.toLocaleString("en-US", { maximumSignificantDigits: 10 }).replace("-", "−");
/* A number of things whose first word is a plural: `3 bits of room`, `1 bit of room`. */
const counted = (x, things) => `${plain(x)} ${Math.abs(x) === 1 ? things.replace(/s\b/, "") : things}`;
const tuple = places => `(${places.join(", ")}${places.length === 1 ? "," : ""})`;
const clamped = (x, low, high) => Math.max(low, Math.min(high, x));
