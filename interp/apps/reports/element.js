/* What is known of the chosen element. */
class Chosen {
  constructor(reduction, home) {
    Object.assign(this, { reduction, home });
    this.title = tag("h4");
    this.link = tag("a", { class: "small" }, "link to this element");
    this.select = tag("select", {}, ...reduction.elements.map((element, k) =>
      tag("option", { value: k }, `${tuple(element.index)} ${element.verdict}, ${counted(element.events, "events")}`)));
    this.select.addEventListener("change", () => this.maps.go(reduction.elements[this.select.value].cell));
    this.body = tag("div");
    this.plotted = tag("div", { class: "plot" });
    const chooser = tag("label", { class: "chooser" }, "worst first", this.select);
    home.append(tag("header", {}, this.title, this.link, ...(reduction.elements.length ? [chooser] : [])), this.body);
    this.plot = new Plot(reduction, this.plotted);
  }

  show(element, name) {
    const place = element ? tuple(element.index) : name;
    this.title.textContent = `Element ${place}`;
    this.link.hidden = place.includes("–");  // several elements
    this.link.href = `#reduction/${this.reduction.name}/element/${place.replace(/[() ]/g, "").replace(/,$/, "")}`;
    this.select.selectedIndex = this.reduction.elements.indexOf(element);
    if (!element) return this.body.replaceChildren(
      tag("p", { class: "muted" }, this.absent()), ...(this.link.hidden ? [] : [this.asked(place)]));
    this.body.replaceChildren(this.list(element), this.plotted, this.explanation(element));
    this.plot.show(element);
  }

  absent() {
    const { elements, size } = this.reduction;
    if (!elements.length) return "Partial results are not on this page: there are too many leaves.";
    return `Partial results are on this page for the worst ${elements.length} of ${plain(size)} elements: those in the list.`;
  }

  /* How to ask for an element in Python. */
  asked(place) {
    return tag("p", {}, "In Python: ", tag("code", {}, `t.explain(${JSON.stringify(this.reduction.name)}, ${place})`));
  }

  list(element) {
    const rows = {
      stored: `${element.stored} after ${plain(element.steps)} steps over ${plain(element.leaves)} leaves and the init value`,
      exact: element.exact,
      verdict: element.headroom === null ? element.verdict : `${element.verdict}, headroom ${counted(element.headroom, "bits")}`,
      ...(element.better ? { "right in order": element.better } : {}),
    };
    return tag("dl", {}, ...Object.entries(rows).flatMap(([name, text]) => [tag("dt", {}, name), tag("dd", {}, text)]));
  }

  explanation(element) {
    const lines = element.explanation.split("\n").map(line => tag("span", line.includes("  ! ") ? { class: "bad" } : {}, `${line}\n`));
    return tag("details", { open: "" }, tag("summary", {}, "Its explanation"),
      tag("pre", { tabindex: 0, role: "region", "aria-label": "Its explanation" }, ...lines));
  }
}
