/** Characters of a document that is read unasked; no spec or plan that a person reads comes near. */
const largestUnasked = 2 * 1024 * 1024

/** Why a document should be looked at before anything is made of it: it is so large that it may be another file. */
export function sizeDoubts(length: number): string[] {
  if (length <= largestUnasked) return []
  return [`The file has ${(length / 1024 / 1024).toFixed(1)} MB, more than 2 MB; is it the right one?`]
}
