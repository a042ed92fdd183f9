import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProgramName } from './programs.js'

// What each program needs to talk to the mock model server and to nobody else (dummy keys, private home).

/** Model of the mock; the names are known to the programs, so that none of them warns. */
export const models: Record<ProgramName, string> = {
  claude: 'sonnet',
  codex: 'gpt-5.5',
  gemini: 'gemini-2.5-pro',
  opencode: 'mock/mock-1',
}

const codexSettings = (base: string) => `model = "${models.codex}"
model_provider = "mock"
check_for_update_on_startup = false

[model_providers.mock]
name = "mock"
base_url = "${base}/v1"
env_key = "MOCK_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1

[analytics]
enabled = false
`

const geminiSettings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { maxAttempts: 2, enableAutoUpdate: false, disableAutoUpdate: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
}

export interface Permission {
  /** What the program asks before it does it, where that is set from outside. */
  opencode?: Record<string, 'ask' | 'allow' | 'deny'>
}

/**
 * Writes the settings into the private home and returns the variables that go with them.
 * @param base URL of a scenario, without `/v1`
 */
export async function surround(
  name: ProgramName,
  home: string,
  base: string,
  permission: Permission = {},
): Promise<Record<string, string>> {
  switch (name) {
    case 'claude':
      return {
        ANTHROPIC_BASE_URL: base,
        ANTHROPIC_API_KEY: 'dummy',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_MAX_RETRIES: '1',
      }
    case 'codex':
      await write(join(home, '.codex'), 'config.toml', codexSettings(base))
      return { MOCK_KEY: 'dummy' }
    case 'gemini':
      await write(join(home, '.gemini'), 'settings.json', JSON.stringify(geminiSettings))
      return {
        GOOGLE_GEMINI_BASE_URL: base,
        GEMINI_API_KEY: 'dummy',
        GEMINI_CLI_NO_RELAUNCH: 'true',
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      }
    case 'opencode':
      return {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          autoupdate: false,
          share: 'disabled',
          model: models.opencode,
          small_model: models.opencode,
          permission: permission.opencode ?? { edit: 'ask', bash: 'ask' },
          provider: {
            mock: {
              npm: '@ai-sdk/openai-compatible',
              name: 'mock',
              options: { baseURL: `${base}/v1`, apiKey: 'dummy' },
              models: {
                'mock-1': { name: 'mock-1', tool_call: true, limit: { context: 100_000, output: 8_000 } },
              },
            },
          },
        }),
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      }
  }
}

async function write(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), text)
}
