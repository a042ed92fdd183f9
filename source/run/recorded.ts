/**
 * What JSON gives back of a value: dates are strings, functions and absent properties are gone, undefined is null.
 * This is what a step returns, the first time and replayed alike, so that no state function can work with something
 * that a restart would not give it again (docs/durability.md).
 */
export type Recorded<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null
    ? T
    : T extends undefined
      ? null
      : T extends { toJSON(): infer Json }
        ? Recorded<Json>
        : T extends (...given: never[]) => unknown
          ? null
          : T extends readonly unknown[]
            ? { -readonly [Index in keyof T]: Recorded<T[Index]> }
            : T extends object
              ? { [Key in keyof T]: RecordedProperty<T[Key]> }
              : never

/** An undefined property is absent; everywhere else undefined becomes null. */
type RecordedProperty<T> = T extends undefined ? undefined : Recorded<T>
