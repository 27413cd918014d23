const GLYPHS = ["", "?", "≈", "↔", "!"];
const NARROWEST_TEXT = 22, NARROWEST_BOARD = 144, BOARD = 336, CELL = 56, APART = 5, OUTLINED = 3, GAP = 28, FINE = 20, TWO_COLUMNS = 760;

const shadeOf = (layer, value) => layer.shades.findLast(shade => shade.least <= value) ?? layer.shades[0];

/* The least headroom stands for none: the type has no numbers on a side of zero where sums are. */
const isNowhere = (layer, value) => layer.name === "headroom" && value === layer.shades[0].least;

/* The maps of one reduction, with one cursor. */
class Maps {
  constructor(reduction, home, choose) {
    Object.assign(this, { reduction, choose, ...reduction.maps });
    this.outer = this.order.slice(0, -2).filter(dimension => this.cells[dimension] > 1);
    const columns = this.order.length > 1 ? this.cells[this.order.at(-1)] : this.per_map;
    const long = columns === 1 || columns === this.per_map;
    this.fold = long ? new Fold(1, this.per_map, this.width) : new Fold(this.per_map / columns, columns, this.width);
    this.byCell = new Map();
    for (const element of reduction.elements) if (!this.byCell.has(element.cell)) this.byCell.set(element.cell, element);
    this.home = home;
    this.fit();
    this.count = this.layers[0].values.length;
    this.readout = tag("output", { class: "readout", "aria-live": "polite" });
    this.boards = this.layers.map((layer, k) => this.board(layer, k));
    this.sliders = this.outer.map(dimension => this.slider(dimension));
    const legend = layer => tag("ul", { class: "legend" }, ...layer.shades.map(shade =>
      tag("li", {}, tag("i", { class: `fill ${shade.style}` }), shade.label)));
    home.append(
      tag("div", { class: "sliders" }, tag("span", { class: "muted" }, this.axes()), ...this.sliders.map(slider => slider.label)),
      tag("div", { class: "maps" }, ...this.layers.map((layer, k) =>
        tag("figure", { style: `width: ${this.broad}px` }, tag("figcaption", {}, layer.title), this.boards[k].board, legend(layer)))),
      this.readout);
    this.go(reduction.elements[0]?.cell ?? 0);
    new ResizeObserver(() => this.fit() && this.redraw()).observe(home);
  }

  /* Choose the size of cells for the width at hand; return whether it changed. */
  fit() {
    const wide = this.home.clientWidth, was = this.size;
    const most = Math.max(this.fold.wide, this.fold.high);
    this.broad = clamped(wide / (wide >= TWO_COLUMNS ? 4 : most > FINE ? 1 : 2) - GAP, NARROWEST_BOARD, BOARD);
    this.size = Math.min(CELL, this.broad / Math.max(this.fold.wide, this.fold.high));
    return was !== this.size;
  }

  redraw() {
    for (const figure of this.home.querySelectorAll("figure")) figure.style.width = `${this.broad}px`;
    for (const board of this.boards) this.draw(board);
    this.mark();
  }

  board(layer, k) {
    const cursor = k ? tag("span", { class: "cursor", "aria-hidden": "true" })
      : tag("button", { class: "cursor", type: "button", "aria-describedby": "keys" });
    const board = tag("div", { class: "board" }, cursor);
    board.addEventListener("click", event => this.clicked(board, event));
    cursor.addEventListener("keydown", event => this.key(event));
    return { board, cursor, layer };
  }

  slider(dimension) {
    const most = this.cells[dimension] - 1;
    const input = tag("input", { type: "range", min: 0, max: most, value: 0 });
    const output = tag("output");
    input.addEventListener("input", () => this.go(this.atMap() * this.per_map + this.cell % this.per_map));
    return { dimension, input, output, label: tag("label", {}, `dimension ${dimension}`, input, output) };
  }

  /* What the rows and the columns are, and what a cell is. */
  axes() {
    const [row, column] = this.order.slice(-2);
    const axes = row === undefined ? "one element"
      : column === undefined || this.fold.line ? `dimension ${this.cells[row] > 1 || column === undefined ? row : column}`
      : `rows: dimension ${row}, columns: dimension ${column}`;
    const block = this.block.filter(size => size > 1);
    return axes + this.fold.words + (block.length ? `; a cell shows the worst of ${block.join(" × ")} elements` : "");
  }

  /* Which map the sliders choose. */
  atMap() {
    return this.sliders.reduce((map, { dimension, input }) => map * this.cells[dimension] + Number(input.value), 0);
  }

  /* The place of a cell along each dimension of the result. */
  place(cell) {
    const place = [];
    for (const dimension of [...this.order].reverse()) {
      place[dimension] = cell % this.cells[dimension];
      cell = Math.floor(cell / this.cells[dimension]);
    }
    return place;
  }

  name(cell) {
    return tuple(this.place(cell).map((at, dimension) => {
      const first = at * this.block[dimension];
      const last = Math.min(first + this.block[dimension], this.reduction.shape[dimension]) - 1;
      return first === last ? `${first}` : `${first}–${last}`;
    }));
  }

  describe(cell) {
    const values = this.layers.map(layer => isNowhere(layer, layer.values[cell]) ? "no headroom"
      : layer.unit ? counted(layer.values[cell], layer.unit) : shadeOf(layer, layer.values[cell]).label);
    return `${this.name(cell)}: ${values.join(", ")}`;
  }

  go(cell) {
    const map = Math.floor(cell / this.per_map), changed = this.map !== map;
    Object.assign(this, { cell, map });
    const place = this.place(cell);
    for (const { dimension, input, output } of this.sliders) {
      input.value = place[dimension];
      output.textContent = `${place[dimension] * this.block[dimension]} of 0–${this.reduction.shape[dimension] - 1}`;
    }
    if (changed) for (const board of this.boards) this.draw(board);
    this.mark();
    this.boards[0].cursor.setAttribute("aria-label", `Element ${this.describe(cell)}`);
    this.readout.textContent = this.describe(cell);
    this.choose(this.byCell.get(cell), this.name(cell));
  }

  /* Show the element `index`: its explanation where that is on the page. */
  goTo(index) {
    const { shape, elements } = this.reduction;
    if (index.length !== shape.length || index.some((at, k) => at >= shape[k])) return;
    const cell = this.order.reduce((at, dimension) => at * this.cells[dimension] + Math.floor(index[dimension] / this.block[dimension]), 0);
    this.go(cell);
    this.choose(elements.find(element => tuple(element.index) === tuple(index)), tuple(index));
  }

  /* Put the cursors at the chosen cell. */
  mark() {
    const [x, y] = this.fold.place(this.cell % this.per_map);
    for (const { cursor } of this.boards) {
      Object.assign(cursor.style, {
        left: `${x * this.size}px`, top: `${y * this.size}px`, width: `${this.size}px`, height: `${this.size}px`,
      });
    }
  }

  draw({ board, cursor, layer }) {
    const apart = this.size > APART, shapes = new Map();
    const first = this.map * this.per_map;
    for (let at = 0; at < this.per_map; at++) {
      const shade = shadeOf(layer, layer.values[first + at]).style;
      const [x, y] = this.fold.place(at);
      const shape = shapes.get(shade) ?? shapes.set(shade, { path: "", texts: [] }).get(shade);
      shape.path += `M${x} ${y}h1v1h-1z`;
      if (this.size >= NARROWEST_TEXT) shape.texts.push(this.text(layer, layer.values[first + at], x, y));
    }
    const groups = [...shapes].map(([style, { path, texts }]) =>
      drawn("g", { class: style }, drawn("path", { class: "fill", d: path }), ...texts));
    const { wide, high } = this.fold, [width, height] = [wide * this.size, high * this.size];
    const svg = drawn("svg", { width, height, viewBox: `0 0 ${wide} ${high}`, "aria-hidden": "true",
      "shape-rendering": "crispEdges", class: apart ? "apart" : "" }, ...groups, ...this.kept());
    board.querySelector("svg")?.remove();
    board.insertBefore(svg, cursor);
  }

  text(layer, value, x, y) {
    const text = isNowhere(layer, value) ? "–" : layer.unit ? value && new Intl.NumberFormat("en", { notation: "compact" }).format(value).replace("-", "−") : GLYPHS[value];
    return drawn("text", { x: x + .5, y: y + .5 }, `${text || ""}`);
  }

  /* Outlines of the cells whose partial sums are on this page, where not all are. */
  kept() {
    if (this.byCell.size === this.count || this.size < OUTLINED) return [];
    const here = [...this.byCell.keys()].filter(cell => Math.floor(cell / this.per_map) === this.map);
    const path = here.map(cell => this.fold.place(cell % this.per_map)).map(([x, y]) => `M${x + .1} ${y + .1}h.8v.8h-.8z`);
    return [drawn("path", { class: "kept", d: path.join("") })];
  }

  clicked(board, event) {
    const box = board.getBoundingClientRect();
    const at = this.fold.at(Math.floor((event.clientX - box.left) / this.size), Math.floor((event.clientY - box.top) / this.size));
    if (at !== null) this.go(this.map * this.per_map + at);
    this.boards[0].cursor.focus();
  }

  key(event) {
    const at = this.cell % this.per_map, last = this.per_map - 1, moves = this.fold.moves(at);
    const maps = { PageUp: this.map - 1, PageDown: this.map + 1 };
    if (event.key in moves) {
      const to = moves[event.key];
      if (to >= 0 && to <= last) this.go(this.map * this.per_map + to);
    } else if (event.key in maps) {
      const to = maps[event.key];
      if (to >= 0 && to < this.count / this.per_map) this.go(to * this.per_map + at);
    } else if (event.key === "Enter") {
      this.boards[0].board.closest("section").querySelector("[role=slider]")?.focus();
    } else return;
    event.preventDefault();
  }
}
