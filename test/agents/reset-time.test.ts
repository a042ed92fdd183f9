import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resetFromWords } from '../../source/agents/reset-time.js'
import { instantsOf, wallClock, zoneNamed } from '../../source/agents/zone.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.parse('2026-11-27T21:00:30Z')
const at = (iso: string) => Date.parse(iso)
const read = (text: string, zone: string | number = 'UTC', from = now) => resetFromWords(text, from, zone)

describe('when a limit ends', () => {
  it.each([
    // A time of day is the next one.
    ["You've hit your limit · resets 3am (Europe/London)", at('2026-11-28T03:00:00Z')],
    ["You've hit your session limit · resets 9:30pm (America/Chicago)", at('2026-11-28T03:30:00Z')],
    ['5-hour limit reached ∙ resets 3am', at('2026-11-28T03:00:00Z')],
    ['5-hour limit reached ∙ resets at 11pm', at('2026-11-27T23:00:00Z')],
    ['Usage limit reached. It resets at 14:30.', at('2026-11-28T14:30:00Z')],
    ['You’ve hit your usage limit. Upgrade or try again at 11:56 PM.', at('2026-11-27T23:56:00Z')],
    ['try again at 8:59 p.m. tomorrow', at('2026-11-28T20:59:00Z')],
    ['resets 11:52pm (UTC)', at('2026-11-27T23:52:00Z')],
    ['resets 11pm (UTC+5:30)', at('2026-11-28T17:30:00Z')],
    ['resets 6pm (PST)', at('2026-11-28T02:00:00Z')],
    ['resets at 3:00 PM EST', at('2026-11-28T20:00:00Z')],
    // With a day.
    ['limit reached ∙ resets Nov 30, 4:30pm (Asia/Kolkata)', at('2026-11-30T11:00:00Z')],
    ['try again at Nov 28th, 2026 12:00 AM.', at('2026-11-28T00:00:00Z')],
    ['try again at Dec 1st, 2026 12:30 PM', at('2026-12-01T12:30:00Z')],
    ['resets 28 November at 09:15', at('2026-11-28T09:15:00Z')],
    ['resets Monday at 9am', at('2026-11-30T09:00:00Z')],
    ['resets Mon, Nov 30 at 9am', at('2026-11-30T09:00:00Z')],
    ['resets Friday at 9am', at('2026-12-04T09:00:00Z')],
    ['available again tomorrow at 9:05 AM', at('2026-11-28T09:05:00Z')],
    ['Limit reached. Come back 9:05 AM tomorrow (Europe/Berlin)', at('2026-11-28T08:05:00Z')],
    ['resets at 2026-11-28T01:02:03Z', at('2026-11-28T01:02:03Z')],
    ['resets at 2026-11-28 01:02:03+02:00', at('2026-11-27T23:02:03Z')],
    // With a day in other words, before the hour and behind it.
    ['resets on the 29th at 4am', at('2026-11-29T04:00:00Z')],
    ['resets the 29th of November at 4am (Asia/Tokyo)', at('2026-11-28T19:00:00Z')],
    ['resets 4am on the 29th', at('2026-11-29T04:00:00Z')],
    ['resets on the 2nd at 4am', at('2026-12-02T04:00:00Z')],
    ['resets Sun 29 at 4am', at('2026-11-29T04:00:00Z')],
    ['resets Sunday, the 29th, at 4am', at('2026-11-29T04:00:00Z')],
    ['resets Nov 29th (Sunday) at 4am', at('2026-11-29T04:00:00Z')],
    ['resets Nov 29 @ 4am', at('2026-11-29T04:00:00Z')],
    ['resets Nov 29 - 4am', at('2026-11-29T04:00:00Z')],
    ['resets 29-Nov-2026 04:00', at('2026-11-29T04:00:00Z')],
    ['resets on 11/29 at 4am', at('2026-11-29T04:00:00Z')],
    ['resets 4am, 29/11', at('2026-11-29T04:00:00Z')],
    ['resets on 29.11. at 4am', at('2026-11-29T04:00:00Z')],
    ['resets 2026-11-29 at 4am (Asia/Tokyo)', at('2026-11-28T19:00:00Z')],
    ['resets the day after tomorrow at 9am', at('2026-11-29T09:00:00Z')],
    ['resets in 2 days at 4am', at('2026-11-29T04:00:00Z')],
    ['resets every Monday at 9am', at('2026-11-30T09:00:00Z')],
    ['resets each day at 9am', at('2026-11-28T09:00:00Z')],
    // As other languages and programs write halves of the day, hours and zones.
    ['se restablece, try again at 3:00 p. m.', at('2026-11-28T15:00:00Z')],
    ['resets at 3:00\u00a0a.\u00a0m.', at('2026-11-28T03:00:00Z')],
    ['resets at 3:00 in the afternoon', at('2026-11-28T15:00:00Z')],
    ['resets at 15 h 30', at('2026-11-28T15:30:00Z')],
    ['resets at 15 h 30 min', at('2026-11-28T15:30:00Z')],
    ['resets at 3 AM Pacific Standard Time', at('2026-11-28T11:00:00Z')],
    ['resets 3pm (India Standard Time)', at('2026-11-28T09:30:00Z')],
    ['resets at 3 PM Eastern Daylight Time', at('2026-11-28T19:00:00Z')],
    ['reset time: 2026-11-28 03:00 UTC', at('2026-11-28T03:00:00Z')],
    ['resets this Sunday at 9am', at('2026-11-29T09:00:00Z')],
    // What is used in a time, and what else is near at hand, is no time of reset.
    ['Upgrade in 2 minutes, or go on at 23:00. Usage limit.', at('2026-11-27T23:00:00Z')],
    ['200 messages in 5 hours are used up, go on in 40 minutes', now + 40 * minute],
    // Spans.
    ['resets in 1d 02:03:04', now + 26 * hour + 3 * minute + 4_000],
    ['resets in 1h-2h', now + 2 * hour],
    ['X-RateLimit-Reset-After: 3600', now + hour],
    ['{"reset_after_seconds": 5400}', now + 90 * minute],
    ['try again in 3 hours 5 minutes', now + 3 * hour + 5 * minute],
    ['try again in 2 days, 1 hour and 10 minutes.', now + 2 * day + hour + 10 * minute],
    ['Quota exhausted; your quota will reset after 3h0m0s.', now + 3 * hour],
    ['Please retry in 2.5s.', now + 2500],
    ['Please retry in 850ms.', now + 850],
    ['resets in 1d2h', now + 26 * hour],
    ['Usage limit hit: more in 4h 12m', now + 4 * hour + 12 * minute],
    ['The limit is reached, go on in 35 min', now + 35 * minute],
    ['Limit reached at last, tomorrow at 9:05 AM it is over', at('2026-11-28T09:05:00Z')],
    ['You can work again at 14:30', at('2026-11-28T14:30:00Z')],
    // As people say it.
    ['try again in about 2 hours', now + 2 * hour],
    ['try again in about an hour', now + hour],
    ['available again in an hour and a half', now + 1.5 * hour],
    ['try again in half an hour', now + hour / 2],
    ['resets in two days', now + 2 * day],
    ['try again in ~2h', now + 2 * hour],
    ['resets in less than a minute', now + minute],
    ['try again in 2-3 hours', now + 3 * hour],
    ['try again in 30 to 60 seconds', now + minute],
    ['resets in 2h30', now + 2.5 * hour],
    ['resets in 02:30:00', now + 2.5 * hour],
    ['Please wait 2 hours and try again', now + 2 * hour],
    ['resets at 15h30', at('2026-11-28T15:30:00Z')],
    ['resets at 3.30pm', at('2026-11-28T15:30:00Z')],
    ['resets at noon', at('2026-11-28T12:00:00Z')],
    ['resets daily at midnight Pacific time', at('2026-11-28T08:00:00Z')],
    ['resets **3am** (UTC)', at('2026-11-28T03:00:00Z')],
    ['resets \u001b[1m`3am`\u001b[0m (UTC)', at('2026-11-28T03:00:00Z')],
    // Zones of every spelling.
    ['resets 3am (UTC\u22125)', at('2026-11-28T08:00:00Z')],
    ['resets at 15:00 +0100', at('2026-11-28T14:00:00Z')],
    ['resets at 3 PM PT', at('2026-11-27T23:00:00Z')],
    ['resets at 3:00 PM Eastern Time', at('2026-11-28T20:00:00Z')],
    ['resets 3pm (CT)', at('2026-11-27T21:00:00Z') + day],
    ['resets at 15:00 CET', at('2026-11-28T14:00:00Z')],
    ['resets 3am local time', at('2026-11-28T03:00:00Z')],
    // Headers and fields of an answer.
    ['429 Too Many Requests, Retry-After: 3600', now + hour],
    ['{"retry-after": "120"}', now + 2 * minute],
    ['{"retryAfterMs":90000}', now + 90_000],
    ['Retry-After: Fri, 27 Nov 2026 22:00:00 GMT', at('2026-11-27T22:00:00Z')],
    ['{"retryDelay":"34.5s"}', now + 34_500],
    ['{"resets_in_seconds":5400}', now + 1.5 * hour],
    [`{"resets_at":${now / 1000 + 3600}}`, now + hour],
    ['{"quotaResetTimeStamp":"2026-11-28T01:00:00Z"}', at('2026-11-28T01:00:00Z')],
    ['x-ratelimit-reset-requests: 7m12s', now + 7 * minute + 12_000],
    ['resets 2026/11/28 15:00', at('2026-11-28T15:00:00Z')],
    ['resets on 1.12.2026 10:00', at('2026-12-01T10:00:00Z')],
    // Numbers.
    [`Claude AI usage limit reached|${now / 1000 + 3600}`, now + hour],
    [`usage limit reached|${now + hour}`, now + hour],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  it.each([
    'resets at Nov 26th, 2026 11:00 PM',
    'resets at Dec 6th, 2026 9:01 PM',
    'resets Feb 30th, 2027 9:00 AM',
    'resets at Foo 28th, 2026 9:00 AM',
    'resets Nov 26 at 3am',
    'resets Dec 24 at 3am',
    'resets 13pm',
    'resets 0am',
    'resets 25:00',
    'resets at 11:75 PM',
    'resets 3am (Mars/Olympus)',
    // A day alone names no moment; one that nobody can read is not taken for the next one.
    'resets Nov 29',
    'resets Nov 29 (America/Chicago)',
    'resets 2026-11-29',
    'resets Monday',
    'resets tomorrow',
    'resets on 12/11 at 4am',
    'resets next week at 4am',
    'resets the week of Nov 30 at 4am',
    'resets the first of the month at 4am',
    'resets on Whit Monday at 4am',
    'resets 4am on another Monday',
    'resets 4am-5am',
    'resets at 4am/5am',
    'resets 16h00',
    'resets 4h30 (Europe/Paris)',
    'resets at 3:00 PM IST',
    'resets in 9 days',
    'resets in 0s',
    'resets later',
    'resets in 2:30',
    'resets in 5400',
    'resets at 3pm Elsewhere Time',
    'resets 3am (Central European Time)',
    'resets on 11/12/2026 10:00',
    'You hit your limit at 14:30',
    'The limit was reached at 20:15',
    'retry after 2 attempts',
    'try again in a moment',
    'resets',
    'usage limit reached|1000000000',
    'usage limit reached|12345678901234567890',
    'Your 5-hour limit is used up.',
    'error in 3 files at line 14',
    '',
    // A half of the day that is not known here.
    'resets at 3:00 nachm.',
    'resets at 3:00 μ.μ.',
    'resets at 3:00 م',
    'resets at 3:00 de la tarde',
    'resets at 下午3:00',
    // Windows and prices.
    'You sent 50 messages in 3 hours: usage limit.',
    'Usage limit, used 5h of 5h in 7 days',
    'Usage limit reached. Upgrade in 2 minutes.',
    'Usage limit: $20 in 5 hours.',
  ])('%s is unknown', (text) => {
    expect(read(text)).toBeUndefined()
  })

  it('is the next day where the clock has passed that time, also over midnight', () => {
    const beforeMidnight = at('2026-11-27T23:50:00Z')
    expect(read('try again at 12:10 AM', 'UTC', beforeMidnight)).toBe(at('2026-11-28T00:10:00Z'))
    expect(read('try again at 11:49 PM', 'UTC', beforeMidnight)).toBe(at('2026-11-28T23:49:00Z'))
    // Midnight of the zone, not of ours.
    expect(read('resets 12:10am (Asia/Tokyo)', 'UTC', at('2026-11-27T14:55:00Z'))).toBe(
      at('2026-11-27T15:10:00Z'),
    )
  })

  it('is in the zone of the machine where none is named', () => {
    expect(read('resets 4am', 'America/Chicago')).toBe(at('2026-11-28T10:00:00Z'))
    expect(read('resets May 23 at 4am', 'America/Chicago', at('2026-05-22T12:00:00Z'))).toBe(
      at('2026-05-23T09:00:00Z'),
    )
    expect(read('resets May 23 at 4am (America/Chicago)', 'Asia/Tokyo', at('2026-05-22T12:00:00Z'))).toBe(
      at('2026-05-23T09:00:00Z'),
    )
  })

  it('finds a date of the new year in the old one', () => {
    expect(read('resets Jan 2, 9am', 'UTC', at('2026-12-30T10:00:00Z'))).toBe(at('2027-01-02T09:00:00Z'))
  })

  it('takes the first moment to come where the clock is put back, and goes on where it is put forward', () => {
    const chicago = 'America/Chicago'
    // On 1 November 2026 1:30 is shown twice there, at 6:30 and 7:30 UTC.
    expect(read('resets 1:30am', chicago, at('2026-11-01T05:00:00Z'))).toBe(at('2026-11-01T06:30:00Z'))
    expect(read('resets 1:30am', chicago, at('2026-11-01T07:00:00Z'))).toBe(at('2026-11-01T07:30:00Z'))
    // On 8 March 2026 2:30 is left out: half an hour after two is 3:30 then.
    expect(read('resets 2:30am', chicago, at('2026-03-08T06:00:00Z'))).toBe(at('2026-03-08T08:30:00Z'))
    // The day has 23 hours.
    expect(read('resets 3am', chicago, at('2026-03-08T06:00:00Z'))).toBe(at('2026-03-08T08:00:00Z'))
  })

  it('looks at the ends of a long text only', () => {
    const padding = 'x '.repeat(500_000)
    expect(read(`resets in 5m. ${padding}`)).toBe(now + 5 * minute)
    expect(read(`${padding} resets in 5m.`)).toBe(now + 5 * minute)
    expect(read(`${padding} resets in 5m. ${padding}`)).toBeUndefined()
  })
})

const zones = [
  'UTC',
  'Europe/London',
  'America/Chicago',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
]
const moments = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2034-01-01T00:00:00Z'),
  noInvalidDate: true,
})

describe('clocks on the wall', () => {
  it('show each moment, and each moment is among those that show the same', () => {
    fc.assert(
      fc.property(moments, fc.constantFrom(...zones), (moment, zone) => {
        const shown = instantsOf(wallClock(moment.getTime(), zone), zone)
        expect(shown).toContain(moment.getTime())
        expect(shown.length).toBeLessThanOrEqual(2)
      }),
    )
  })

  it('know the names of zones', () => {
    expect(['Z', 'UTC', 'GMT+2', '-08:00', 'PDT'].map(zoneNamed)).toEqual([0, 0, 120, -480, -420])
    expect(['Europe/Paris', 'Nowhere/Here', 'ABC', '+99'].map(zoneNamed)).toEqual([
      'Europe/Paris',
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('for any time in any zone', () => {
  it('a date and a time are read as they were written, or as unknown', () => {
    fc.assert(
      fc.property(
        moments,
        fc.integer({ min: -10 * 24 * 60, max: 10 * 24 * 60 }),
        fc.constantFrom(...zones),
        fc.boolean(),
        (from, minutes, zone, isNamed) => {
          const meant = Math.floor(from.getTime() / minute) * minute + minutes * minute
          const text = new Date(meant).toLocaleString('en-US', {
            timeZone: zone,
            dateStyle: 'medium',
            timeStyle: 'short',
          })
          const reset = read(
            `resets ${text}${isNamed ? ` (${zone})` : ''}`,
            isNamed ? 'Asia/Tokyo' : zone,
            from.getTime(),
          )
          const twins = instantsOf(wallClock(meant, zone), zone)
          const first = twins.find((each) => each > from.getTime())
          const isBelievable = first !== undefined && first - from.getTime() <= 8 * day
          expect(reset).toBe(isBelievable ? first : undefined)
        },
      ),
    )
  })

  it('what is read is to come and within eight days, whatever the text', () => {
    const words = fc.constantFrom(
      ...[
        'resets',
        'at',
        'in',
        '3am',
        '12:10 AM',
        '14:30',
        'Nov 28',
        '(Europe/London)',
        '5',
        'h',
        'm',
        ',',
        '|',
      ],
      ...[
        'tomorrow',
        '2026',
        'try again',
        '1795823562',
        '9'.repeat(30),
        '\u202f',
        '∙',
        'limit reached|',
        'Mon',
      ],
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), fc.constantFrom(...zones), (parts, zone) => {
        const reset = read(parts.join(' '), zone)
        if (reset === undefined) return
        expect(reset).toBeGreaterThan(now)
        expect(reset).toBeLessThanOrEqual(now + 8 * day)
      }),
    )
  })
})
