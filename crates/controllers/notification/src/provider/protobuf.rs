//! Writes Protocol Buffers messages. One message type of a stable protocol does not justify the
//! generated code of a library.

/// A message under construction.
#[derive(Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    /// Returns the bytes.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Appends bytes or text. Empty values are omitted, as in proto3.
    pub(super) fn bytes(mut self, field: u32, value: impl AsRef<[u8]>) -> Self {
        let value = value.as_ref();
        if !value.is_empty() {
            self.tag(field, 2);
            self.varint(value.len() as u64);
            self.0.extend_from_slice(value);
        }
        self
    }

    /// Appends a nested message, even an empty one.
    pub(super) fn message(mut self, field: u32, value: Self) -> Self {
        self.tag(field, 2);
        self.varint(value.0.len() as u64);
        self.0.extend(value.0);
        self
    }

    /// Appends a number or an enum. Zero is omitted.
    pub(super) fn number(mut self, field: u32, value: u64) -> Self {
        if value != 0 {
            self.tag(field, 0);
            self.varint(value);
        }
        self
    }

    /// Appends a number of 8 bytes. Zero is omitted.
    pub(super) fn fixed64(mut self, field: u32, value: u64) -> Self {
        if value != 0 {
            self.tag(field, 1);
            self.0.extend(value.to_le_bytes());
        }
        self
    }

    /// Appends a number of 4 bytes. Zero is omitted.
    pub(super) fn fixed32(mut self, field: u32, value: u32) -> Self {
        if value != 0 {
            self.tag(field, 5);
            self.0.extend(value.to_le_bytes());
        }
        self
    }

    fn tag(&mut self, field: u32, wire_type: u32) {
        self.varint(u64::from(field << 3 | wire_type));
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            let [low, ..] = value.to_le_bytes();
            self.0.push(low | 0x80);
            value >>= 7;
        }
        let [low, ..] = value.to_le_bytes();
        self.0.push(low);
    }
}
