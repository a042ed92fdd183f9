/** A state in the middle of a step, as people keep it. */
export const planning = `# Autopilot State

## Current Step
flow: greenfield
step: 3
name: Plan
status: in_progress
sub_step: 4 \u2014 Architecture Review & Risk Assessment
retry_count: 0

## Completed Steps

| Step | Name | Completed | Key Outcome |
|------|------|-----------|-------------|
| 1 | Problem | 2026-03-01 | scope agreed |
| 2 | Research | 2026-03-04 | solution draft 2 |

## Key Decisions
- Tech stack: Python, Postgres

## Last Session
date: 2026-03-04
ended_at: Step 3 Plan \u2014 SubStep 4 Architecture Review & Risk Assessment
reason: user paused
notes: risks are half done

## Retry Log
| Attempt | Step | Name | SubStep | Failure Reason | Timestamp |
|---------|------|------|---------|----------------|-----------|

## Blockers
- none
`

/** A state after three failed retries. */
export const failed = `# Autopilot State

## Current Step
flow: existing-code
step: 2
name: Test Spec
status: failed
sub_step: 1b \u2014 Test Case Generation
retry_count: 3

## Completed Steps

| Step | Name | Completed | Key Outcome |
|------|------|-----------|-------------|
| 1 | Document | 2026-03-01 | 12 modules |

## Key Decisions

## Last Session

## Retry Log
| Attempt | Step | Name | SubStep | Failure Reason | Timestamp |
|---------|------|------|---------|----------------|-----------|
| 1 | 2 | Test Spec | 1b | no data | 2026-03-02T10:00:00+00:00 |
| 2 | 2 | Test Spec | 1b | no data | 2026-03-02T10:10:00+00:00 |
| 3 | 2 | Test Spec | 1b | no data | 2026-03-02T10:20:00+00:00 |

## Blockers
- Test Spec failed after 3 retries: no data
`
