import { expect, test } from 'vitest'
import { completedInRoadmap } from '../../source/documents/playbook-roadmap-edit.js'

const day = '2026-02-09'
const roadmap = [
  '# Roadmap',
  '',
  '- [ ] **Phase 1: One** - first',
  '- [~] **Phase 2.1: Two one** - second',
  '- [x] **Phase 3: Three**',
  '',
  '```',
  '- [ ] **Phase 1: In a fence**',
  '```',
  '',
  '| Phase | Colour | Note |',
  '|---|---|---|',
  '| 1. One | red | - |',
  '',
  '## Progress',
  '',
  '| Phase | Plans Complete | Status | Completed |',
  '|-------|----------------|--------|-----------|',
  '| 1. One | 2/3 | In progress | - |',
  '| 2.1 Two one | 0/TBD | Not started |  |',
  '| 3. Three | 1/1 | Complete | 2026-01-01 |',
  '| 10. Ten | 0/1 | Not started | - |',
  '',
]

/** Lines of the roadmap that the edit has changed, as they are now. */
const changed = (id: string, text = roadmap.join('\n')) => {
  const edit = completedInRoadmap(text, id, day)
  const before = text.split('\n')
  return { ...edit, text: edit.text.split('\n').filter((line, index) => line !== before[index]) }
}

test('its box and its row, and nothing else', () => {
  expect(changed('1')).toEqual({
    box: 'ticked',
    row: 'filled',
    text: ['- [x] **Phase 1: One** - first', `| 1. One | 3/3 | Complete | ${day} |`],
  })
  expect(changed('2.1')).toEqual({
    box: 'ticked',
    row: 'filled',
    text: ['- [x] **Phase 2.1: Two one** - second', `| 2.1 Two one | 0/TBD | Complete | ${day} |`],
  })
})

test('what is filled in already stays, so that twice comes to the same', () => {
  expect(changed('3')).toEqual({ box: 'was ticked', row: 'was filled', text: [] })
  const once = completedInRoadmap(roadmap.join('\n'), '1', day)
  expect(completedInRoadmap(once.text, '1', '2026-02-10').text).toBe(once.text)
})

test('a phase without a box or a row is told', () => {
  expect(changed('10')).toMatchObject({ box: 'none', row: 'filled' })
  expect(changed('4')).toEqual({ box: 'none', row: 'failed', text: [] })
  expect(changed('1', '- [ ] Phase 1: One')).toEqual({
    box: 'ticked',
    row: 'none',
    text: ['- [x] Phase 1: One'],
  })
})

test('line ends stay, and a row without borders is one too', () => {
  const text = ['Phase | Status', '--- | ---', 'Phase 1: One | Planned', ''].join('\r\n')
  expect(completedInRoadmap(text, '1', day).text).toBe(text.replace('Planned', 'Complete'))
})

test.each([
  ['- [ ] Phase 1. One', '- [x] Phase 1. One'],
  ['- [ ] **Phase 1** One', '- [x] **Phase 1** One'],
  ['+ [ ] **Phase 01** (later) — One', '+ [x] **Phase 01** (later) — One'],
  ['1. [~] [Phase 1: One](a.md)', '1. [x] [Phase 1: One](a.md)'],
])('the box of every line that is read as the phase: %s', (line, ticked) => {
  expect(changed('1', line)).toEqual({ box: 'ticked', row: 'none', text: [ticked] })
})

test('the box of a line that is struck through, or of another phase, stays', () => {
  for (const line of ['- [ ] ~~Phase 1: One~~', '- [ ] Phase 1-3: all', '- [ ] Phase 11: One'])
    expect(changed('1', line)).toEqual({ box: 'none', row: 'none', text: [] })
})
