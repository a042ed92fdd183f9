import { Box } from 'ink'
import { useRef, useState } from 'react'
import { isTyped } from '../../terminal/key-names.js'
import type { Key } from '../../terminal/key-pump.js'
import { sanitizeText } from '../../terminal/sanitize.js'
import { textWidth } from '../../terminal/width.js'
import { useDesk } from '../hooks/desk.js'
import { rank, useKeys, usePaste } from '../hooks/keys.js'
import { actionOf } from '../keymap.js'
import { fitLine, line, windowStart } from '../layout/line.js'
import { type Draft, draftOf, draftRows, edited, insert } from '../text-edit.js'
import { Rows } from './rows.js'

export interface TextFieldProps {
  label: string
  width: number
  /** Rows of the text, without label and message. */
  height: number
  initial?: string
  required: boolean
  /** Line breaks are kept; else they become spaces. */
  multiline: boolean
  /** Enter right after the field opened was meant for what was there before. */
  guarded: boolean
  onSend(text: string): void
  onBack(): void
}

/** A field for text: paste, several lines, Enter sends, Escape goes back. */
export function TextField(props: TextFieldProps) {
  const { keys, theme, armAfter } = useDesk()
  const [draft, setDraft] = useState<Draft>(() => draftOf(props.initial ?? ''))
  const [message, setMessage] = useState('')
  const newest = useRef(draft)
  const opened = useRef(keys.now())
  const pasted = useRef(Number.NEGATIVE_INFINITY)
  const sent = useRef(false)

  function write(next: Draft): void {
    newest.current = next
    setDraft(next)
    setMessage('')
  }

  function insertText(text: string): void {
    const safe = sanitizeText(text.replace(/\r\n?/g, '\n'))
    write(insert(newest.current, props.multiline ? safe : safe.replace(/\n+/g, ' ')))
  }

  function send(key: Key): void {
    // Several keys in one read are pasted text, and pasted text does not send itself.
    if (!key.alone) {
      if (props.multiline) insertText('\n')
      return
    }
    const early = props.guarded && key.at - opened.current < armAfter
    if (sent.current || early || key.at - pasted.current < armAfter) return
    if (props.required && newest.current.text.trim() === '') {
      setMessage('Please write something, or go back with Esc.')
      return
    }
    sent.current = true
    props.onSend(newest.current.text)
  }

  useKeys((key) => {
    const action = actionOf('field', key.name)
    if (action === 'send') send(key)
    else if (action === 'back') props.onBack()
    else if (action === 'page-up' || action === 'page-down') return false
    else if (action === 'new-line') insertText('\n')
    else if (isTyped(key.sequence)) insertText(key.sequence)
    else write(edited(newest.current, key.name) ?? newest.current)
    return true
  }, rank.field)
  usePaste((text) => {
    pasted.current = keys.now()
    insertText(text)
  })

  const { rows, cursorRow } = draftRows(draft, props.width - 4, theme.cursor)
  const start = windowStart(rows.length, props.height, cursorRow)
  const shown = rows.slice(start, start + props.height).map((text) => line(`  ${text}`))
  const note = message === '' && !props.required ? ' (may stay empty)' : ''
  const label = textWidth(props.label + note) <= props.width ? props.label + note : props.label
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Rows lines={[fitLine(line(label, 'info', true), props.width, theme)]} />
      <Rows lines={shown} height={props.height} />
      <Rows lines={[fitLine(line(message, 'warn'), props.width, theme)]} />
    </Box>
  )
}
