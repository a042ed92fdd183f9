import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rawLines } from '../../source/documents/edit.js'
import {
  matchFeature,
  type RoadmapReading,
  type RoadmapStatus,
  readRoadmap,
  roadmapStatuses,
  setFeatureStatus,
  targetStatus,
} from '../../source/documents/roadmap.js'

const roadmap = `---
project: mail
version: 1
last_synced: "2030-01-01T00:00:00Z" # by hand
last_manual_edit: 2030-01-01
---
# Roadmap

Preamble.

## Milestone: First

### Mail rules

- **Status:** planned
- **Spec:** docs/changes/mail-rules/proposal.md
- **Summary:** Rules
- **Blocked by:** Other, —
- **Plans:** a.md, b.md

### Group: prose

Text.

### Feature: Other

* **Status**: in-progress
* **Spec:** none

## Backlog

### Third

- **Status:** backlog
- **Spec:** —
- **Priority:** P1

## Assignment History

| a | b |
|---|---|

### Not a feature

- **Status:** odd
`

function read(text = roadmap): RoadmapReading {
  const reading = readRoadmap(text)
  if ('unreadable' in reading) throw new Error(reading.unreadable)
  return reading
}

describe('a roadmap', () => {
  it('is read with milestones, features and lines', () => {
    const reading = read()
    expect(reading.frontMatter).toMatchObject({ project: 'mail', version: 1 })
    expect(reading.milestones).toEqual([
      { name: 'First', line: 11 },
      { name: 'Backlog', line: 30 },
    ])
    expect(reading.features).toMatchObject([
      {
        name: 'Mail rules',
        status: 'planned',
        spec: 'docs/changes/mail-rules/proposal.md',
        line: 13,
        statusLine: 15,
        milestone: 'First',
        blockers: ['Other'],
        plans: ['a.md', 'b.md'],
      },
      { name: 'Other', status: 'in-progress', spec: null, line: 25, milestone: 'First' },
      { name: 'Third', status: 'backlog', spec: null, line: 32, milestone: 'Backlog', priority: 'P1' },
    ])
    expect(reading.warnings).toEqual([])
  })

  it('reads the same with CRLF and a BOM', () => {
    expect(read(`\uFEFF${roadmap.replaceAll('\n', '\r\n')}`).features).toEqual(read().features)
  })

  it.each([
    ['no front matter', roadmap.slice(roadmap.indexOf('# Roadmap'))],
    ['an open front matter', roadmap.replace('---\n# Roadmap', '# Roadmap')],
    ['a missing key', roadmap.replace(/project: .*\n/, '')],
    ['a version that is no whole number', roadmap.replace('version: 1', 'version: one')],
    ['a bad status', roadmap.replace('planned', 'soon')],
    ['a missing status', roadmap.replace('- **Status:** planned\n', '')],
    ['broken YAML', roadmap.replace('project: mail', 'project: [')],
  ])('is unreadable with %s', (_, text) => {
    expect(text).not.toBe(roadmap)
    expect(readRoadmap(text)).toHaveProperty('unreadable')
  })

  it('never crashes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(typeof readRoadmap(text)).toBe('object')
        expect(typeof readRoadmap(roadmap.replace('Preamble.', text.replaceAll('$', '')))).toBe('object')
      }),
    )
  })
})

describe('the row of a spec', () => {
  it('is found by path, else by name', () => {
    expect(matchFeature(read(), './docs\\changes/mail-rules/proposal.md', undefined)?.name).toBe('Mail rules')
    expect(matchFeature(read(), 'docs/x.md', 'THIRD')?.name).toBe('Third')
    expect(matchFeature(read(), 'docs/x.md', 'nothing')).toBeUndefined()
    expect(matchFeature(read(), 'docs/x.md', undefined)).toBeUndefined()
  })

  it('is none when several fit and the name does not tell', () => {
    const twice = read(roadmap.replace('**Spec:** none', '**Spec:** docs/changes/mail-rules/proposal.md'))
    expect(matchFeature(twice, 'docs/changes/mail-rules/proposal.md', 'x')).toBeUndefined()
    expect(matchFeature(twice, 'docs/changes/mail-rules/proposal.md', 'other')?.name).toBe('Other')
  })
})

describe('status', () => {
  it('is never lowered and never set again', () => {
    const wanted = (to: 'in-progress' | 'done') =>
      roadmapStatuses.filter((status) => targetStatus(status, to) !== null)
    expect(wanted('in-progress')).toEqual(['backlog', 'planned', 'blocked', 'needs-human'])
    expect(wanted('done')).toEqual(['backlog', 'planned', 'in-progress', 'blocked', 'needs-human'])
  })

  it('changes in its line only, with last_synced', () => {
    const feature = read().features[1]!
    expect(setFeatureStatus(roadmap, feature, 'done', '2031-01-01T00:00:00Z')).toBe(
      roadmap
        .replace('"2030-01-01T00:00:00Z" # by hand', '"2031-01-01T00:00:00Z" # by hand')
        .replace('* **Status**: in-progress', '* **Status**: done'),
    )
  })

  it('leaves every other byte alone', () => {
    const ending = fc.constantFrom('\n', '\r\n')
    const status = fc.constantFrom<RoadmapStatus>(...roadmapStatuses)
    fc.assert(
      fc.property(ending, fc.boolean(), fc.boolean(), fc.nat(2), status, (eol, bom, cut, index, to) => {
        const whole = (bom ? '\uFEFF' : '') + roadmap.replaceAll('\n', eol)
        const text = cut ? whole.slice(0, -eol.length) : whole
        const feature = read(text).features[index]!
        const after = setFeatureStatus(text, feature, to, 'now')
        const [old, fresh] = [rawLines(text), rawLines(after)]
        expect(fresh.length).toBe(old.length)
        fresh.forEach((line, at) => {
          if (at + 1 === feature.statusLine || at === 3) expect(line.ending).toBe(old[at]?.ending)
          else expect(line).toEqual(old[at])
        })
        expect(read(after).features[index]?.status).toBe(to)
        expect(read(after).frontMatter.last_synced).toBe('now')
      }),
    )
  })
})
