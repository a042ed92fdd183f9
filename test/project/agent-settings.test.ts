import { describe, expect, test } from 'vitest'
import { type AgentProgram, ordersIn } from '../../source/project/agent-settings.js'

const json = (value: unknown) => JSON.stringify(value, undefined, 2)

describe('what an agent program notes for itself is no order', () => {
  test.each<[AgentProgram, string, string]>([
    [
      'claude',
      '',
      json({ numStartups: 3, projects: { '/p': { allowedTools: [], mcpServers: {}, lastCost: 1 } } }),
    ],
    ['claude', json({ numStartups: 3 }), json({ numStartups: 4, tipsHistory: { a: 1 }, mcpServers: {} })],
    ['codex', '', '[projects."/work/a.b"]\ntrust_level = "trusted"\n\n[notice]\nhide = true\n'],
    ['codex', 'model = "a"\n', '# chosen\nmodel = "b"\nmodel_reasoning_effort = "high"\n'],
    [
      'gemini',
      json({ theme: 'x' }),
      json({ ui: { theme: 'x' }, security: { auth: { selectedType: 'key' } } }),
    ],
    ['opencode', '', json({ $schema: 'https://example.org/config.json' })],
  ])('%s: %j, %j', (program, before, now) => {
    expect(ordersIn(program, now)).toEqual(ordersIn(program, before))
  })
})

describe('what starts programs, leads elsewhere or gives rights', () => {
  test.each<[AgentProgram, string, string]>([
    ['claude', json({ mcpServers: { x: { command: 'evil' } } }), 'mcpServers'],
    [
      'claude',
      json({ projects: { '/p': { mcpServers: { x: { command: 'evil' } } } } }),
      'projects./p.mcpServers',
    ],
    ['claude', json({ projects: { '/p': { allowedTools: ['Bash'] } } }), 'projects./p.allowedTools'],
    ['claude', '{"mcpServers": {"x": {"command": "evil"}},', 'text'],
    ['codex', 'notify = ["evil"]\n', 'settings'],
    ['codex', '[projects."/p"]\ntrust_level = "trusted"\n[mcp_servers.x]\ncommand = "evil"\n', 'settings'],
    ['codex', 'a = """\n[projects.x]\n"""\nnotify = ["evil"]\n', 'settings'],
    ['codex', '[ projects . "/p" ]\r\n[model_providers.x]\r\nbase_url = "http://127.0.0.1"\r\n', 'settings'],
    ['gemini', json({ tools: { discoveryCommand: 'evil' } }), 'tools'],
    ['gemini', json({ hooks: { BeforeTool: [{ command: 'evil' }] } }), 'hooks'],
    ['opencode', json({ plugin: ['evil'] }), 'plugin'],
    ['opencode', '{ // mine\n "mcp": {"x": {"command": ["evil"]}} }', 'text'],
  ])('%s: %j', (program, text, part) => {
    expect(Object.keys(ordersIn(program, text))).toEqual([part])
  })
})

test('of codex only what it does not write itself is kept', () => {
  const text =
    'model = "a"\napproval_policy = "never"\n[projects."/p"]\ntrust_level = "trusted"\n[mcp_servers.x]\ncommand = "evil"\n'
  expect(ordersIn('codex', text)).toEqual({
    settings: 'approval_policy = "never"\n[mcp_servers.x]\ncommand = "evil"',
  })
})
