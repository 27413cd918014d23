/* Places of a map's cells on the screen. Long and narrow maps are cut into parts side by side or one below the
   other, with a gap of one cell, and a single long dimension goes on from row to row: so every map is about a square. */
const LONG = 3, SPACE = 1;

class Fold {
  constructor(rows, columns, width) {
    Object.assign(this, { rows, columns });
    this.line = rows === 1 ? width : 0;
    if (this.line) Object.assign(this, { wide: width, high: Math.ceil(columns / width), parts: 1 });
    else if (rows > LONG * columns) this.cut("high", rows, columns);
    else if (columns > LONG * rows) this.cut("wide", columns, rows);
    else Object.assign(this, { wide: columns, high: rows, parts: 1 });
  }

  /* Cut the longer dimension so that the parts, each as broad as the shorter one, make about a square. */
  cut(along, long, short) {
    this.parts = Math.max(1, Math.round(Math.sqrt(long / (short + SPACE))));
    this.part = Math.ceil(long / this.parts);
    this.parts = Math.ceil(long / this.part);
    this.along = along;
    this[along] = this.part;
    this[along === "high" ? "wide" : "high"] = this.parts * (short + SPACE) - SPACE;
  }

  /* The column and row on the screen of a cell of the map. */
  place(at) {
    if (this.line) return [at % this.line, Math.floor(at / this.line)];
    const row = Math.floor(at / this.columns), column = at % this.columns;
    if (this.along === "high") return [Math.floor(row / this.part) * (this.columns + SPACE) + column, row % this.part];
    if (this.along === "wide") return [column % this.part, Math.floor(column / this.part) * (this.rows + SPACE) + row];
    return [column, row];
  }

  /* The cell at a place on the screen, null in a gap. */
  at(x, y) {
    if (x < 0 || y < 0 || x >= this.wide || y >= this.high) return null;
    let row = y, column = x;
    if (this.line) return y * this.line + x < this.columns ? y * this.line + x : null;
    if (this.along === "high") {
      column = x % (this.columns + SPACE);
      row = Math.floor(x / (this.columns + SPACE)) * this.part + y;
    } else if (this.along === "wide") {
      row = y % (this.rows + SPACE);
      column = Math.floor(y / (this.rows + SPACE)) * this.part + x;
    }
    return row < this.rows && column < this.columns ? row * this.columns + column : null;
  }

  /* The cells that arrow keys and the ends of a row lead to. */
  moves(at) {
    const columns = this.line || this.columns, last = this.rows * this.columns - 1, row = at - at % columns;
    return {
      ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - columns, ArrowDown: at + columns,
      Home: row, End: Math.min(row + columns - 1, last),
    };
  }

  get words() {
    if (this.line) return this.high > 1 ? ", continued from row to row" : "";
    return this.parts > 1 ? `, in ${this.parts} parts ${this.along === "high" ? "side by side" : "one below the other"}` : "";
  }
}
