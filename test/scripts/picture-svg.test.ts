import { describe, expect, test } from 'vitest'

const load = () => import('../../scripts/picture-svg.js' as string)

const run = (text: string, look: object = {}) => ({
  text,
  width: text.length,
  bold: false,
  dim: false,
  ...look,
})

describe('pictures of a terminal', () => {
  test('a still says what the screen says, with its colours, and nothing of it is markup', async () => {
    const { still } = await load()
    const svg = still([[run('a <b> & c', { fg: '#61afef', bold: true })], []], 40)
    expect(svg).toContain('>a &lt;b&gt; &amp; c</text>')
    expect(svg).toContain('fill="#61afef" class="b"')
  })

  test('words of one look and the blanks between them are one text, as wide as its cells', async () => {
    const { still } = await load()
    const dim = { dim: true }
    const svg = still([[run('  one', dim), run(' '), run('two ', dim), run('three'), run('  ')]], 40)
    expect(svg).toContain('<text x="28.8" opacity=".6" textLength="58.8">one two</text>')
    expect(svg).toContain('textLength="42">three</text>')
  })

  test('a film shows each frame for its time, and draws a row that stays once', async () => {
    const { film } = await load()
    const svg = film(
      [
        { rows: [[run('stays')], [run('first')]], ms: 500 },
        { rows: [[run('stays')], [run('second')]], ms: 1500 },
      ],
      20,
    )
    expect(svg.match(/>stays</g)).toHaveLength(1)
    expect(svg.match(/#r0"/g)).toHaveLength(2)
    expect(svg).toContain('0.000%{transform:translateX(0px)}25.000%{transform:translateX(-192px)}')
    expect(svg).toContain('animation:play 2.0s steps(1,end) infinite')
  })

  test('the 256 colours of a terminal', async () => {
    const { colorOf } = await load()
    expect([colorOf(16), colorOf(21), colorOf(231), colorOf(232)]).toEqual([
      'rgb(0,0,0)',
      'rgb(0,0,255)',
      'rgb(255,255,255)',
      'rgb(8,8,8)',
    ])
  })
})
