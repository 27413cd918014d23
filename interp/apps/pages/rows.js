/* Long tables: all rows are data, of which those in view are drawn. They are searched by words, and sort by any column. */
class Rows {
  constructor(home) {
    this.home = home;
    this.box = home.querySelector(".scroll");
    this.table = home.querySelector("table");
    this.body = this.table.tBodies[0];
    this.search = tag("input", { type: "search", placeholder: "words of a row", spellcheck: "false", autocomplete: "off" });
    this.said = tag("output", { class: "muted", "aria-live": "polite" });
    this.total = this.table.getAttribute("aria-rowcount") - 1;
    const caption = this.table.caption;
    caption.textContent = this.table.dataset.caption;
    home.prepend(tag("p", { class: "find" }, tag("label", {}, "Search ", this.search), this.said));
    this.say(this.total);
    this.search.addEventListener("input", () => this.find(this.search.value));
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    new IntersectionObserver(seen => seen.some(x => x.isIntersecting) && this.start(), { rootMargin: "50%" }).observe(home);
  }

  /* Read the data, when the table is first needed. */
  start() {
    if (this.columns) return;
    this.columns = JSON.parse(this.home.querySelector("script").textContent);
    this.shown = this.columns.filter(column => column.shown);
    this.order = this.rows = null;  // null: all rows, as they are
    [...this.table.tHead.rows[0].cells].forEach((head, k) => this.sortable(head, this.shown[k]));
    this.measure();
    addEventListener("resize", () => this.measure());
  }

  measure() {
    this.height = this.body.querySelector("[role=row]")?.getBoundingClientRect().height || this.height || 28;
    this.from = -1;
    this.draw();
  }

  get count() { return this.rows ? this.rows.length : this.total; }
  row(place) { return this.rows ? this.rows[place] : place; }

  cell(column, row) {
    const cell = column.cells[row];
    return column.distinct ? column.distinct[cell] : cell;
  }

  named(head) { return this.columns.find(column => column.head === head); }

  /* Draw the rows in view, and some more; rows above and below stand for the rest. */
  draw() {
    if (!this.columns) return;
    const view = Math.ceil(this.box.clientHeight / this.height), more = 12;
    const top = Math.floor(this.box.scrollTop / this.height);
    if (this.from >= 0 && Math.abs(top - this.top) < more && this.count === this.drawn) return;
    this.top = top;
    this.from = Math.max(0, Math.min(top - 2 * more, this.count - view));
    this.drawn = this.count;
    const to = Math.min(this.count, top + view + 2 * more);
    const focused = document.activeElement?.closest?.("tr"), kept = this.body.contains(focused) && focused.dataset.row;
    const rows = [];
    for (let place = this.from; place < to; place++) rows.push(this.line(place));
    this.body.replaceChildren(this.space(this.from), ...rows, this.space(this.count - to));
    if (kept) (this.body.querySelector(`[data-row="${kept}"] a`) ?? this.box).focus({ preventScroll: true });
  }

  space(rows) {
    return tag("tr", { "aria-hidden": "true", class: "space" }, tag("td", { colspan: this.shown.length, style: `height:${rows * this.height}px` }));
  }

  line(place) {
    const row = this.row(place);
    const cells = this.shown.map((column, k) => {
      const head = k ? ["td", { role: "cell" }] : ["th", { scope: "row", role: "rowheader" }];
      const cell = tag(...head), known = this.cell(column, row);
      if (column.kind === "number") cell.className = "n";
      if (column.kind === "html") cell.innerHTML = known;
      else if (column.to) cell.append(tag("a", { href: `#${column.to[row]}` }, known));
      else cell.textContent = typeof known === "number" ? plain(known) : known ?? "–";
      if (typeof known === "string" && column.kind === "text" && known.length > 16) cell.title = known;
      return cell;
    });
    const line = tag("tr", { role: "row", "aria-rowindex": place + 2, "data-row": row }, ...cells);
    if (row === this.current) line.setAttribute("aria-current", "true");
    return line;
  }

  /* The texts of the rows, in small letters. */
  get texts() {
    const small = this.shown.map(({ distinct, cells, kind }) =>
      (distinct ?? cells).map(cell => cell === null ? "" : kind === "html" ? cell.replace(/<[^>]*>/g, "").toLowerCase() : String(cell).toLowerCase()));
    const texts = [];
    for (let row = 0; row < this.total; row++)
      texts.push(this.shown.map(({ distinct, cells }, k) => small[k][distinct ? cells[row] : row]).join(" "));
    Object.defineProperty(this, "texts", { value: texts });
    return texts;
  }

  find(text) {
    this.start();
    const words = text.toLowerCase().split(/\s+/).filter(Boolean), has = row => words.every(word => this.texts[row].includes(word));
    this.words = words;
    const order = this.order ?? (words.length ? [...Array(this.total).keys()] : null);
    this.rows = words.length ? order.filter(has) : order;
    this.box.scrollTop = 0;
    this.from = -1;
    this.draw();
    this.say(this.count);
  }

  say(count) {
    this.said.textContent = count === this.total ? `${plain(count)} rows` : `${plain(count)} of ${plain(this.total)} rows`;
  }

  /* Make a heading a button that sorts: up, down, and as it was. */
  sortable(head, column) {
    const button = tag("button", { type: "button" }, head.textContent);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const next = { ascending: "descending", descending: null }[head.getAttribute("aria-sort")];
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      const order = next === undefined ? "ascending" : next;
      if (order) head.setAttribute("aria-sort", order);
      this.sort(order ? column : null, order === "descending" ? -1 : 1);
    });
  }

  sort(column, sign) {
    this.order = column && [...Array(this.total).keys()].sort((a, b) => {
      const [x, y] = [a, b].map(row => this.key(column, row));
      if (x === y) return a - b;
      if (x === null || y === null) return x === null ? 1 : -1;
      return (typeof x === "number" ? x - y : x < y ? -1 : 1) * sign;
    });
    this.find(this.search.value);
  }

  /* What a row sorts by, null last: numbers, or texts whose numbers count as such: `%v9` before `%v10`. */
  key(column, row) {
    const cell = this.cell(column, row);
    if (column.kind === "number") return typeof cell === "string" ? (cell === "none" ? -Infinity : Infinity) : cell;
    return cell === null || cell === "" ? null : cell.replace(/\d+/g, digits => digits.padStart(12, "0"));
  }

  /* The rows whose first cell leads to a fragment. */
  leading(text) {
    this.start();
    if (!this.by) {
      this.by = new Map();
      this.shown[0].to.forEach((to, row) => this.by.has(to) ? this.by.get(to).push(row) : this.by.set(to, [row]));
    }
    return this.by.get(text) ?? [];
  }

  /* Bring a row into view, and mark it. */
  reveal(row) {
    let place = this.rows ? this.rows.indexOf(row) : row;
    if (place < 0) {
      this.search.value = "";
      this.find("");
      place = this.rows ? this.rows.indexOf(row) : row;
    }
    this.current = row;
    const { box, height } = this, top = place * height, head = this.table.tHead.offsetHeight + this.table.caption.offsetHeight;
    if (top < box.scrollTop || top + head + height > box.scrollTop + box.clientHeight) box.scrollTop = Math.max(0, top - box.clientHeight / 3);
    this.from = -1;
    this.draw();
  }
}
const rows = new Map([...document.querySelectorAll(".rows")].map(home => [home.id.replace("rows-", ""), new Rows(home)]));
