import { render, Text } from 'ink'
import { createElement } from 'react'

// The smallest program of Ink, for bench/start.js. It stays until it is ended.
render(createElement(Text, undefined, 'Hello'))
setInterval(() => undefined, 1000)
