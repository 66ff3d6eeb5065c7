//! Formats tables with the bytes of `flux get`: no borders, an upper-case header, padded cells, and
//! a tab after each cell.

use super::one_line;

/// Rows under a header. Widths count terminal columns, not bytes.
#[derive(Clone, Debug, Default)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table with a header.
    pub fn new(header: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            header: header.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) {
        self.rows.push(
            cells
                .into_iter()
                .map(|cell| one_line(cell.as_ref()))
                .collect(),
        );
    }

    /// Puts a mark before the first cell of every row.
    pub fn mark_first(&mut self, mark: &str) {
        for cell in self.rows.iter_mut().filter_map(|row| row.first_mut()) {
            cell.insert_str(0, mark);
        }
    }

    /// Returns whether the table has no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Formats the table. Scripts may omit the header.
    pub fn render(&self, with_header: bool) -> String {
        let header: Vec<String> = self.header.iter().map(|cell| cell.to_uppercase()).collect();
        let lines: Vec<&Vec<String>> = with_header
            .then_some(&header)
            .into_iter()
            .chain(&self.rows)
            .collect();
        let columns = self.header.len();
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                lines
                    .iter()
                    .filter_map(|line| line.get(column))
                    .map(|cell| console::measure_text_width(cell))
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let mut text = String::new();
        for (row, line) in lines.into_iter().enumerate() {
            for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
                text.push_str(cell);
                let shown = console::measure_text_width(cell);
                text.extend(std::iter::repeat_n(' ', width.saturating_sub(shown)));
                // Flux ends its header with a space, and its rows with a tab.
                let is_end_of_header = with_header && row == 0 && column + 1 == columns;
                text.push(if is_end_of_header { ' ' } else { '\t' });
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_padded_and_end_with_tab() {
        let mut table = Table::new(["Name", "Ready"]);
        table.row(["podinfo", "True"]);
        table.row(["é", "False"]);
        assert_eq!(
            table.render(true),
            "NAME   \tREADY \npodinfo\tTrue \t\né      \tFalse\t\n"
        );
    }

    #[test]
    fn hidden_header_does_not_widen_columns() {
        let mut table = Table::new(["A long header"]);
        table.row(["x"]);
        assert_eq!(table.render(false), "x\t\n");
    }

    #[test]
    fn message_stays_on_its_line() {
        let mut table = Table::new(["Message"]);
        table.row(["first\nsecond"]);
        assert_eq!(table.render(false), "first second\t\n");
    }
}
