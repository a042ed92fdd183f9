/** A part of the screen that shares rows with others. */
export interface Box {
  /** Rows without which it is worth nothing; they come first, in the order of the boxes. */
  least: number
  /** Rows that it can fill. */
  most: number
  /** Of the rows beyond `least`: its share beside the weights of the others. */
  weight: number
}

/**
 * Divides `room` rows between boxes by their weights. Nobody gets more than it can fill as long as another one can, and
 * no row is lost while somebody can fill it.
 */
export function divide<Name extends string>(
  room: number,
  boxes: Readonly<Record<Name, Box>>,
): Record<Name, number> {
  const names = Object.keys(boxes) as Name[]
  const given = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
  let left = Math.max(0, Math.floor(room))
  for (const name of names) {
    given[name] = Math.min(boxes[name].least, boxes[name].most, left)
    left -= given[name]
  }
  while (left > 0) {
    const hungry = names.filter((name) => boxes[name].weight > 0 && given[name] < boxes[name].most)
    const weights = hungry.reduce((sum, name) => sum + boxes[name].weight, 0)
    if (hungry.length === 0) break
    const before = left
    for (const name of hungry) {
      const share = Math.floor((before * boxes[name].weight) / weights)
      const more = Math.min(share, boxes[name].most - given[name], left)
      given[name] += more
      left -= more
    }
    // Shares below one row: the heaviest box that can fill it has the next one.
    if (left === before) {
      const heaviest = hungry.reduce((best, name) => (boxes[name].weight > boxes[best].weight ? name : best))
      given[heaviest] += 1
      left -= 1
    }
  }
  return given
}
