import { type Fields, fieldsOf, listIn } from '../fields.js'
import { isFields, listOf, textsOf } from './codex-values.js'

// codex hands `outputSchema` to the model as a strict schema: every object is closed and requires all of its
// properties. Other schemas are refused with status 400, so ours is rewritten, and what comes back is undone.

export interface StrictSchema {
  schema: unknown
  /** Takes the nulls out again that stand for properties that were left out. */
  restore(value: unknown): unknown
}

/** Keywords that strict schemas may have, beside those that are rewritten here. */
const kept = ['type', 'enum', 'const', 'description', 'pattern', 'format', 'minimum', 'maximum']
const keptOfLists = ['minItems', 'maxItems']

/** Undefined where a schema cannot be said strictly, an open map for example: then the prompt alone asks for it. */
export function strictSchema(schema: unknown): StrictSchema | undefined {
  if (fieldsOf(schema).type !== 'object') return undefined
  const strict = strictly(schema)
  return strict && { schema: strict, restore: (value) => restored(schema, value) }
}

function strictly(schema: unknown): Fields | undefined {
  const from = fieldsOf(schema)
  const variants = [...listIn(from, 'anyOf'), ...listIn(from, 'oneOf')]
  if (variants.length > 0) {
    const each = variants.map(strictly)
    const described = from.description === undefined ? {} : { description: from.description }
    return each.includes(undefined) ? undefined : { ...described, anyOf: each }
  }
  const own = Object.fromEntries(Object.entries(from).filter(([key]) => kept.includes(key)))
  if (from.const !== undefined || from.enum !== undefined) return own
  if (from.type === 'object') return strictObject(from, own)
  if (from.type === 'array') return strictList(from, own)
  return typeof from.type === 'string' || Array.isArray(from.type) ? own : undefined
}

function strictObject(from: Fields, own: Fields): Fields | undefined {
  if (!isFields(from.properties)) return undefined
  const required = textsOf(from.required)
  const properties: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(from.properties)) {
    const strict = strictly(property)
    const isRequired = required.includes(name)
    if (strict) properties[name] = isRequired ? strict : orNull(strict)
    else if (isRequired) return undefined
  }
  return { ...own, properties, required: Object.keys(properties), additionalProperties: false }
}

function strictList(from: Fields, own: Fields): Fields | undefined {
  const tuple = listIn(from, 'prefixItems')
  if (tuple.length > 0) {
    const each = tuple.map(strictly)
    if (each.includes(undefined)) return undefined
    const distinct = [...new Map(each.map((one) => [JSON.stringify(one), one])).values()]
    const items = distinct.length === 1 ? distinct[0] : { anyOf: distinct }
    return { ...own, items, minItems: tuple.length, maxItems: tuple.length }
  }
  const items = strictly(from.items)
  const bounds = Object.fromEntries(Object.entries(from).filter(([key]) => keptOfLists.includes(key)))
  return items && { ...own, ...bounds, items }
}

function orNull(schema: Fields): Fields {
  if (allowsNull(schema)) return schema
  return { anyOf: [...(Array.isArray(schema.anyOf) ? schema.anyOf : [schema]), { type: 'null' }] }
}

function allowsNull(schema: unknown): boolean {
  const { type, enum: values, anyOf, oneOf, const: only } = fieldsOf(schema)
  if (type === 'null' || only === null || listOf(values).includes(null)) return true
  return listOf(type).includes('null') || [...listOf(anyOf), ...listOf(oneOf)].some(allowsNull)
}

function restored(schema: unknown, value: unknown): unknown {
  const from = fieldsOf(schema)
  if (Array.isArray(value)) {
    const items = [from, ...listIn(from, 'anyOf'), ...listIn(from, 'oneOf')].find(
      (each) => fieldsOf(each).items !== undefined,
    )
    return items === undefined ? value : value.map((each) => restored(fieldsOf(items).items, each))
  }
  if (!isFields(value)) return value
  const shape = [from, ...listIn(from, 'anyOf'), ...listIn(from, 'oneOf')].find((each) => fits(each, value))
  if (shape === undefined) return value
  const { properties, required } = fieldsOf(shape)
  const entries = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    const property = fieldsOf(properties)[name]
    if (each === null && !textsOf(required).includes(name) && !allowsNull(property)) return []
    return [[name, restored(property, each)]]
  })
  return Object.fromEntries(entries)
}

/** An object shape with at least the properties that the value has. */
function fits(schema: unknown, value: Fields): boolean {
  const { properties } = fieldsOf(schema)
  return isFields(properties) && Object.keys(value).every((name) => name in properties)
}
