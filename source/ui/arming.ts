/** Milliseconds without a key after which a gate that is visible takes one: docs/terminal.md "Gates". */
export const armAfter = 500
