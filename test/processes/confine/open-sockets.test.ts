import { expect, test } from 'vitest'
import { namedSockets } from '../../../source/processes/confine/open-sockets.js'

test.each([
  [{ TMUX: '/home/ada/.tmux/default,4127,0' }, '/home/ada/.tmux/default'],
  [{ SSH_AUTH_SOCK: '/home/ada/.keys/agent.sock' }, '/home/ada/.keys/agent.sock'],
  [{ DOCKER_HOST: 'unix:///home/ada/.run/docker.sock' }, '/home/ada/.run/docker.sock'],
  [{ KITTY_LISTEN_ON: 'unix:/home/ada/kitty' }, '/home/ada/kitty'],
  [{ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus,guid=1' }, '/run/user/1000/bus'],
])('the socket that %j names', (environment, path) => {
  expect(namedSockets(environment)).toEqual([path])
})

test.each([{ DOCKER_HOST: 'tcp://10.0.0.1:2375' }, { KITTY_LISTEN_ON: 'unix:@kitty' }, { NVIM: '' }, {}])(
  '%j names no file',
  (environment) => {
    expect(namedSockets(environment)).toEqual([])
  },
)
