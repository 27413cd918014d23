/* Tables of layers sort by any column; a third click restores the order of the program. */
for (const table of document.querySelectorAll("table.profile")) {
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!rows.some(row => "key" in (row.cells[column]?.dataset ?? {}))) return;
    const button = tag("button", { type: "button" }, head.textContent);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const next = { ascending: "descending", descending: null }[head.getAttribute("aria-sort")];
      const order = next === undefined ? "ascending" : next;
      for (const other of heads) other.removeAttribute("aria-sort");
      if (order) head.setAttribute("aria-sort", order);
      const sign = order === "descending" ? -1 : 1;
      const key = row => row.cells[column].dataset.key === undefined ? Infinity : sign * Number(row.cells[column].dataset.key);
      const sorted = order ? [...rows].sort((a, b) => { const x = key(a), y = key(b); return x === y ? 0 : x < y ? -1 : 1; }) : rows;
      body.append(...sorted);
    });
  });
}
