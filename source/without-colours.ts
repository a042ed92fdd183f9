const colours = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;:]{0,40}m`, 'g')

/** A text without the colours that a program prints around what it says. Linear. */
export const withoutColours = (text: string): string => text.replace(colours, '')
