const NARROW = 420;

/* The partial results of one element against the range of the accumulator. */
class Plot {
  constructor(reduction, home) {
    Object.assign(this, { reduction, home });
    new ResizeObserver(() => this.element && this.draw()).observe(home);
  }

  show(element) {
    this.element = element;
    this.columns = element.stored_ends[0].length;
    this.at = Math.floor((element.first_bad ?? element.steps) / element.per_column);
    this.draw();
  }

  /* The least and the greatest number drawn: the range's ends, unless they are far away. */
  domain() {
    const numbers = [...this.element.stored_ends, ...this.element.exact_ends].flat().filter(x => x !== null);
    let low = Math.min(...numbers), high = Math.max(...numbers);
    const range = this.reduction.range;
    this.ranged = range !== null && range[1] - range[0] <= 6 * Math.max(high - low, Math.abs(high), Math.abs(low), 1);
    if (this.ranged) [low, high] = [Math.min(low, range[0]), Math.max(high, range[1])];
    const room = (high - low || 1) * .06;
    return numbers.length ? [low - room, high + room] : [-1, 1];
  }

  draw() {
    const focused = this.home.contains(document.activeElement);
    const width = Math.max(260, this.home.clientWidth), height = 250, left = 84, right = 52, top = 18, bottom = 28;
    const [low, high] = this.domain(), span = Math.max(1, this.columns - 1);
    this.x = column => left + (width - left - right) * column / span;
    this.y = value => top + (height - top - bottom) * (high - value) / (high - low);
    const svg = drawn("svg", {
      width, height, viewBox: `0 0 ${width} ${height}`, tabindex: 0, role: "slider",
      "aria-label": "Partial results, step", "aria-valuemin": 0, "aria-valuemax": this.element.steps,
    });
    svg.append(...this.frame(width, low, high, left, right, height - bottom), ...this.series("exact"),
      ...this.series("stored"), ...this.marks(height - bottom, width - right));
    this.cross = drawn("line", { class: "at", y1: top, y2: height - bottom });
    svg.append(this.cross);
    svg.addEventListener("keydown", event => this.key(event));
    svg.addEventListener("pointermove", event => this.go(this.columnAt(event)));
    svg.addEventListener("click", event => this.go(this.columnAt(event)));
    this.svg = svg;
    this.readout = tag("output", { class: "readout" });
    this.home.replaceChildren(svg, this.readout, ...this.beyond());
    this.go(this.at);
    if (focused) svg.focus();
  }

  frame(width, low, high, left, right, bottom) {
    const shapes = [], lines = [];
    const taken = [];
    const line = (value, style) => {
      const y = this.y(value);
      lines.push(drawn("line", { class: style, x1: left, x2: width - right, y1: y, y2: y }));
      if (taken.some(other => Math.abs(other - y) < 13)) return;
      taken.push(y);
      lines.push(drawn("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, plain(value)));
    };
    if (this.ranged) {
      const [least, most] = this.reduction.range;
      shapes.push(drawn("rect", { class: "range", x: left, width: width - left - right, y: this.y(most), height: this.y(least) - this.y(most) }));
      line(least, "end");
      line(most, "end");
    }
    const step = 10 ** Math.floor(Math.log10((high - low) / 2));
    const wide = [1, 2, 5, 10].map(k => k * step).find(k => (high - low) / k <= 5) ?? step;
    for (let value = Math.ceil(low / wide) * wide; value <= high; value += wide) line(Number(value.toPrecision(12)), "grid");
    const last = this.element.steps;
    shapes.push(...lines);
    for (const at of new Set((width < NARROW ? [0, .5, 1] : [0, .25, .5, .75, 1]).map(share => Math.round(share * last)))) {
      const x = this.x(at / this.element.per_column);
      const anchor = at === last && at ? "end" : at ? "middle" : "start";
      shapes.push(drawn("text", { x, y: bottom + 18, "text-anchor": anchor }, at === last ? `step ${plain(at)}` : plain(at)));
    }
    return shapes;
  }

  beyond() {
    if (this.ranged || !this.reduction.range) return [];
    const ends = this.reduction.range.map(plain).join(" to ");
    return [tag("p", { class: "muted" }, `The range of the accumulator, ${ends}, is too wide to be drawn.`)];
  }

  series(name) {
    const ends = this.element[`${name}_ends`], [least, most] = [ends[0], ends.at(-1)];
    const runs = [];
    least.forEach((value, column) => {
      if (value === null) return;
      if (!column || least[column - 1] === null) runs.push([]);
      runs.at(-1).push(column);
    });
    const points = (columns, values) => columns.map(column => `${this.x(column).toFixed(1)} ${this.y(values[column]).toFixed(1)}`);
    return runs.map(columns => {
      if (least === most) return drawn("path", { class: `${name} line`, d: `M${points(columns, least).join("L")}` });
      const around = [...points(columns, most), ...points(columns, least).reverse()];
      return drawn("path", { class: name, d: `M${around.join("L")}z` });
    });
  }

  marks(bottom, right) {
    const { first_bad, per_column, bad, stored_ends, exact_ends } = this.element;
    const shapes = bad.map(column => drawn("line", { class: "tick", x1: this.x(column), x2: this.x(column), y1: bottom, y2: bottom + 4 }));
    const texts = [["stored", stored_ends], ["exact", exact_ends]]
      .map(([name, ends]) => ({ name, value: ends[0].at(-1) })).filter(({ value }) => value !== null)
      .map(({ name, value }) => ({ name, y: this.y(value) }));
    if (texts.length === 2) {
      const upper = texts[0].y <= texts[1].y ? 0 : 1, overlap = Math.max(0, 13 - Math.abs(texts[0].y - texts[1].y)) / 2;
      texts[upper].y -= overlap;
      texts[1 - upper].y += overlap;
    }
    shapes.push(...texts.map(({ name, y }) => drawn("text", { class: name, x: right + 6, y: y + 4 }, name)));
    if (first_bad === null) return shapes;
    const column = Math.floor(first_bad / per_column), value = stored_ends[0][column] ?? exact_ends[0][column];
    if (value === null) return shapes;
    const [x, y] = [this.x(column), this.y(value)], flipped = x > right - 120;
    shapes.push(drawn("circle", { class: "first", cx: x, cy: y, r: 5 }),
      drawn("text", { class: "first", x: flipped ? x - 10 : x + 10, y: y + (y > bottom / 2 ? -10 : 18), "text-anchor": flipped ? "end" : "start" }, `first bad step ${plain(first_bad)}`));
    return shapes;
  }

  columnAt(event) {
    const x = event.clientX - this.svg.getBoundingClientRect().left, first = this.x(0);
    return clamped(Math.round((x - first) / (this.x(1) - first)), 0, this.columns - 1);
  }

  go(column) {
    this.at = clamped(column, 0, this.columns - 1);
    const { per_column, steps } = this.element, first = this.at * per_column, last = Math.min(first + per_column - 1, steps);
    const ends = name => this.element[`${name}_ends`].map(values => plain(values[this.at])).filter((text, k, all) => !k || text !== all[0]).join(" to ");
    const text = `step ${plain(first)}${last > first ? `–${plain(last)}` : ""}: stored ${ends("stored")}, exact ${ends("exact")}`;
    this.cross.setAttribute("x1", this.x(this.at));
    this.cross.setAttribute("x2", this.x(this.at));
    this.svg.setAttribute("aria-valuenow", first);
    this.svg.setAttribute("aria-valuetext", text);
    this.readout.textContent = text;
  }

  key(event) {
    const { bad } = this.element;
    const moves = {
      ArrowLeft: this.at - 1, ArrowRight: this.at + 1, ArrowDown: this.at - 1, ArrowUp: this.at + 1, Home: 0, End: this.columns - 1,
      PageUp: bad.findLast(column => column < this.at) ?? this.at, PageDown: bad.find(column => column > this.at) ?? this.at,
    };
    if (!(event.key in moves)) return;
    this.go(moves[event.key]);
    event.preventDefault();
  }
}
