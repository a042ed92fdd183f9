import type { Expects } from '../results.js'

// The shape of each result as a person would show it to another. The schema that it is held against is beside it; a test
// holds that both name the same fields.

const verdictLines = `  "recommendation": "proceed" | "debug" | "rollback" | "halt",
  "concerns": ["<at least one, however small>"],
  "independent_evidence": ["<file:line, and what you found there yourself>"],`

const judgeLines = `  "scope_creep": ["<what nobody asked for>"],
  "missing_requirements": ["<what was asked for and is not there>"],
  "notes": "<one or two sentences>"`

export const shapes: Readonly<Record<Expects, string>> = {
  research: `{
  "key_findings": ["<three to five, one sentence each>"],
  "recommended_approach": "<one or two sentences>",
  "risks": ["<what could go wrong>"],
  "open_questions": ["<what the planner has to settle>"]
}`,
  questions: `{
  "questions": [
    { "id": "q1", "question": "<one thing>", "why": "<what depends on it>", "options": ["<choice>"], "recommendation": "<one of them, and why>" }
  ]
}`,
  plan: `{
  "plans_created": 1,
  "waves": 2,
  "total_tasks": 4,
  "complexity": "simple" | "medium" | "complex",
  "dependencies": ["<which task waits for which>"],
  "concerns": ["<what you had to leave open>"]
}`,
  'plan-check': `{
  "pass": true | false,
  "issues": [
    { "plan": "01", "dimension": "<coverage, completeness, dependencies, criteria, scope>", "severity": "blocker" | "warning" | "info", "description": "<what is wrong, and where>", "fix_hint": "<what would mend it>" }
  ],
  "confidence": <1 to 10>,
  "blocker_count": 0,
  "warning_count": 0
}`,
  execution: `{
  "tasks_completed": "1/1",
  "tasks_failed": "0/1",
  "commit_shas": ["<full id>"],
  "evidence": [
    { "task_id": "<id>", "criteria_met": ["<criterion -- file:line -- what is there>"], "commands_run": ["<command -> result>"] }
  ],
  "deviations": ["<where you left the plan, and why>"],
  "confidence": <1 to 10>
}`,
  'mini-verification': `{
  "task_id": "<id>",
  "pass": true | false,
  "criteria_results": [
    { "criterion": "<its id>", "status": "pass" | "fail", "evidence": "<file:line, and what is there>", "command": "<what you ran>", "command_output": "<its first 200 characters>" }
  ],
  "concerns": ["<what holds and still looks wrong>"],
  "commands_run": ["<command -> result>"],
  "gate_validation": { "compile": "pass" | "fail" | "skipped" | "missing", "lint": "...", "test": "..." }
}`,
  verification: `{
  "pass": true | false,
  "automated_checks": {
    "compile": { "status": true | false | "n/a", "detail": "<errors, or none>" },
    "lint": { "status": "...", "detail": "..." },
    "build": { "status": "...", "detail": "..." },
    "test": { "status": "...", "detail": "..." }
  },
  "criteria_results": [{ "criterion": "<its id>", "status": "verified" | "failed", "evidence": "<file:line, and what is there>" }],
  "commands_run": ["<command -> result>"],
  "failures": ["<what does not hold>"],
  "failure_categories": [{ "failure": "<as above>", "category": "<a word of the list>" }],
  "scope_creep": ["<what nobody asked for>"],
  "execution_results": [
    { "criterion": "<its id>", "command": "<command>", "exit_code": 0, "output": "<first 200 characters>", "assessment": "pass" | "fail" | "timeout" | "violation" }
  ],
  "visual_test_results": { "routes_tested": 0, "routes_passed": 0, "issues_found": [], "screenshots": [], "infrastructure_available": false },
  "autonomous_confidence": <1 to 10>,
  "deferral_evidence": [{ "criterion": "<its id>", "methods_attempted": ["<what you tried>"], "why_insufficient": "<why that did not settle it>" }]
}`,
  judgement: `{
${verdictLines}
${judgeLines}
}`,
  'judgement-divergence': `{
${verdictLines}
  "verifier_agreement": true | false,
  "verifier_missed": ["<what the verifier did not see>"],
${judgeLines}
}`,
  rating: `{
  "alignment_score": <x.x>,
  "scorecard": [
    { "criterion": "<its id>", "score": <x.x>, "verification_command": "<what you ran>", "command_output": "<first 200 characters>", "evidence": "<file:line, and what is there>", "justification": "<why this score and not 10.0>", "execution_result": { "command": "<command>", "exit_code": 0, "output": "<first 200 characters>" } | null }
  ],
  "aggregate_justification": "<how the mean came about, and what was deducted>",
  "side_effects": ["<what changed that no criterion speaks of>"],
  "commands_run": ["<command -> result>"],
  "test_coverage": { "tasks_with_tests": 0, "tasks_total": 0, "assertions_passed": 0, "assertions_total": 0 },
  "score_band": "excellence" | "good" | "acceptable" | "significant_gaps" | "major_failures" | "not_implemented"
}`,
  debug: `{
  "fixed": true | false,
  "changes": ["<what you changed, and why that was the cause>"],
  "commits": ["<full id>"],
  "remaining_issues": ["<what is still broken>"],
  "failure_categories": [{ "failure": "<what was broken>", "category": "<a word of the list>" }]
}`,
  integration: `{
  "pass": true | false,
  "issues": ["<which phases do not fit together, where, and how you saw it>"],
  "commands_run": ["<command -> result>"]
}`,
  audit: `{
  "gaps": [
    { "requirement": "<its id>", "description": "<what is missing>", "files": ["<where it belongs>"], "lines": <about how many lines would close it> }
  ],
  "commands_run": ["<command -> result>"]
}`,
}
