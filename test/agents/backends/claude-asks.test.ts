import { describe, expect, it } from 'vitest'
import type { Access } from '../../../source/agents/agent.js'
import { judgeRequest, openDialogue, type ToolRequest } from '../../../source/agents/backends/claude-asks.js'
import { describeTool } from '../../../source/agents/backends/claude-tools.js'

function request(changes: Partial<ToolRequest> = {}): ToolRequest {
  return {
    id: 'r1',
    tool: 'Bash',
    input: { command: 'npm test\nnpm run lint' },
    written: {},
    suggestions: [],
    cwd: '/project',
    ...changes,
  }
}

const optionIds = (changes: Partial<ToolRequest>, access: Access = 'full') =>
  openDialogue(request(changes), access).first.options.map((option) => option.id)

describe('a request for permission', () => {
  it('shows the whole command, and of the title one line', () => {
    const { first } = openDialogue(request({ description: 'check', reason: 'not in the list' }), 'full')
    expect(first).toMatchObject({
      title: 'Bash: npm test',
      detail: 'npm test\nnpm run lint\n(check)\nnot in the list',
      defaultNo: true,
    })
  })

  it('shows the diff of an edit, and all of the input of a tool that is not known', () => {
    const edit = { file_path: '/project/src/a.ts', old_string: 'one\ntwo\n', new_string: 'three' }
    expect(openDialogue(request({ tool: 'Edit', input: edit }), 'full').first).toMatchObject({
      title: 'Edit: src/a.ts',
      diff: '-one\n-two\n+three',
    })
    const { detail } = openDialogue(
      request({ tool: 'mcp__mail__send', input: { to: 'a', body: 'b' } }),
      'full',
    ).first
    expect(JSON.parse(detail)).toEqual({ to: 'a', body: 'b' })
  })

  it('may be answered with other input, as the person edited it', () => {
    const answer = openDialogue(request(), 'full').answer('r1', {
      optionId: 'allow',
      input: { command: 'true' },
    })
    expect(answer).toEqual({ reply: { behavior: 'allow', updatedInput: { command: 'true' } } })
  })

  it('is refused with the reason that the person gave, else with one that helps', () => {
    const reply = (text?: string) => openDialogue(request(), 'full').answer('r1', { optionId: 'deny', text })
    expect(reply('use pnpm')).toEqual({ reply: { behavior: 'deny', message: 'use pnpm', interrupt: false } })
    expect(reply('  ')).toMatchObject({
      reply: { behavior: 'deny', message: expect.stringContaining('Go on') },
    })
  })
})

describe('allowing for the whole run', () => {
  const rule = (changes: object) => ({
    type: 'addRules',
    behavior: 'allow',
    destination: 'localSettings',
    rules: [{ toolName: 'Bash', ruleContent: 'npm *' }],
    ...changes,
  })

  it('is offered only with rules, which are named and never leave the session', () => {
    expect(optionIds({})).toEqual(['allow', 'deny'])
    const dialogue = openDialogue(request({ suggestions: [rule({}), rule({ behavior: 'deny' })] }), 'full')
    expect(dialogue.first.options[1]).toMatchObject({
      label: 'Allow for this run: Bash(npm *)',
      kind: 'allow-always',
    })
    expect(dialogue.answer('r1', { optionId: 'allow-run' })).toMatchObject({
      reply: { behavior: 'allow', updatedPermissions: [rule({ destination: 'session' })] },
    })
  })

  it('never lifts all permissions, and no edits for a role that only reads', () => {
    const mode = (name: string) => ({
      suggestions: [{ type: 'setMode', mode: name, destination: 'session' }],
    })
    expect(optionIds(mode('bypassPermissions'))).toEqual(['allow', 'deny'])
    expect(optionIds(mode('acceptEdits'))).toEqual(['allow', 'allow-run', 'deny'])
    expect(optionIds(mode('acceptEdits'), 'read')).toEqual(['allow', 'deny'])
  })

  it('cannot be had by an answer that was not offered', () => {
    const answer = openDialogue(request(), 'full').answer('r1', { optionId: 'allow-run' })
    expect(answer).toMatchObject({ reply: { behavior: 'deny' } })
  })
})

describe('several questions at once', () => {
  const question = (text: string, ...labels: string[]) => ({
    question: text,
    options: labels.map((label) => ({ label, description: `so ${label}` })),
  })
  const questions = [question('Colour?', 'Red', 'Blue'), question('Size?', 'S', 'L')]
  const several = () => openDialogue(request({ tool: 'AskUserQuestion', input: { questions } }), 'full')

  it('come one after the other and are answered together', () => {
    const dialogue = several()
    expect(dialogue.first).toMatchObject({
      askId: 'r1#1',
      title: 'Colour?',
      detail: 'Red: so Red\nBlue: so Blue',
    })
    expect(dialogue.answer('r1#2', { optionId: 'choice-1' })).toBeUndefined()
    expect(dialogue.answer('r1#1', { optionId: 'choice-2' })).toMatchObject({
      next: { askId: 'r1#2', title: 'Size?' },
    })
    expect(dialogue.answer('r1#2', { optionId: 'own', text: 'XXL' })).toEqual({
      reply: {
        behavior: 'allow',
        updatedInput: { questions, answers: { 'Colour?': 'Blue', 'Size?': 'XXL' } },
      },
    })
  })

  it('are all refused when one is', () => {
    const dialogue = several()
    dialogue.answer('r1#1', { optionId: 'choice-1' })
    expect(dialogue.answer('r1#2', { optionId: 'deny', text: 'decide yourself' })).toMatchObject({
      reply: { behavior: 'deny', message: 'decide yourself' },
    })
  })

  it('without any question are asked for like any other tool', () => {
    expect(openDialogue(request({ tool: 'AskUserQuestion', input: {} }), 'full').first.kind).toBe(
      'permission',
    )
  })
})

describe('judgeRequest', () => {
  const judge = (tool: string, access: Access, policy?: 'ask' | 'edits' | 'all') =>
    judgeRequest(request({ tool, input: {} }), access, policy).verdict

  it.each([
    ['Write', 'read', 'all', 'deny'],
    ['NotebookEdit', 'read', 'edits', 'deny'],
    ['Bash', 'read', 'edits', 'ask'],
    ['Bash', 'read', 'all', 'allow'],
    ['Write', 'full', undefined, 'ask'],
    ['Write', 'edit', 'edits', 'allow'],
    ['Bash', 'full', 'edits', 'ask'],
    ['Read', 'full', 'edits', 'ask'],
    ['mcp__mail__send', 'full', 'ask', 'ask'],
    ['mcp__mail__send', 'full', 'all', 'allow'],
    ['AskUserQuestion', 'full', 'all', 'ask'],
    ['ExitPlanMode', 'read', 'all', 'ask'],
  ] as const)('%s with access %s and policy %s: %s', (tool, access, policy, verdict) => {
    expect(judge(tool, access, policy)).toBe(verdict)
  })
})

describe('describeTool', () => {
  it.each([
    ['Read', { file_path: '/project/a/b.ts' }, 'read', 'a/b.ts'],
    ['Read', { file_path: '/etc/passwd' }, 'read', '/etc/passwd'],
    ['Read', { file_path: '/project' }, 'read', '/project'],
    ['Grep', { pattern: 'TODO', path: '/project' }, 'read', 'TODO'],
    ['Agent', { description: 'look around', prompt: 'p' }, 'other', 'look around'],
    ['Bash', { command: '  ' }, 'exec', 'Bash'],
    ['Bash', { command: 7 }, 'exec', 'Bash'],
  ] as const)('%s %j', (name, input, kind, title) => {
    expect(describeTool(name, input, '/project')).toEqual({ kind, title })
  })

  it('joins the parts of several edits', () => {
    const edits = [{ old_string: 'a', new_string: 'b' }, { new_string: 'c' }, 'broken']
    expect(describeTool('MultiEdit', { file_path: 'x', edits }, '/').diff).toBe('-a\n+b\n+c')
  })
})
