module sluice.dev/tools/age-vectors

go 1.24.0

require c2sp.org/CCTV/age v0.0.0-20251208015420-e9274a7bdbfd
