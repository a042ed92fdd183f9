import { expect, test } from 'vitest'
import { refusalOf } from '../../../../source/workflows/playbook/criteria/refusal.js'
import { simpleCommands } from '../../../../source/workflows/playbook/criteria/shell-commands.js'

const place = { root: '/work/app', home: '/home/ada' }

test.each([
  'sudo npm test',
  '/usr/bin/sudo -n true',
  'env FOO=1 sudo ls',
  'true && doas ls',
  'npm install -g typescript',
  'npm i --global x',
  'yarn global add x',
  'pnpm add -g x',
  'apt-get install jq',
  'brew install jq',
  'cargo install ripgrep',
  'pip install --user x',
  'python3 -m pip install --break-system-packages x',
  'git push',
  'git -C sub push origin main',
  'git -c a=b clean -fdx',
  'git reset --hard HEAD~1',
  'git checkout -- .',
  'git commit -qam x',
  'git tag -f v1',
  'git stash',
  'git branch -D old',
  'git update-ref refs/heads/x HEAD',
  'echo $(git push)',
  'echo "`git push`"',
  'bash -c "git push --force"',
  "sh -ec 'cd / && ls'",
  'eval "git clean -f"',
  'ls | xargs git clean',
  'ls | xargs -0 -n 1 sudo rm',
  'find . -name "*.tmp" -exec git clean -f {} \\;',
  'find . -type f -exec rm /etc/hosts {} +',
  'env -i -u X PATH=/bin sudo ls',
  'timeout -k 5 10 git push',
  'nice -n 5 git push',
  'if true; then git push; fi',
  'cd /etc && ls',
  'cd .. && npm test',
  'cd src && cd ../.. && ls',
  'cd ~ && ls',
  'cd',
  'cd "$HOME/x" && ls',
  'pushd /tmp',
  'echo x > /etc/hosts',
  'echo x >> ~/.bashrc',
  'npm test >/tmp/out.txt 2>&1',
  'echo x > ../other/file',
  'npm test | tee /var/log/x',
  'rm -rf /home/ada/x',
  'cp a /usr/local/bin/a',
  'mv /home/ada/x src/',
  'dd if=/dev/zero of=/dev/sda',
  'sed -i s/a/b/ /etc/passwd',
  'mkdir -p $HOME/x',
  'echo x &> /etc/x',
])('refused: %s', (command) => {
  expect(refusalOf(command, place)).toBeTypeOf('string')
})

test.each([
  'npm test 2>&1; echo EXIT:$?',
  "grep -c 'git push' docs/a.md",
  'grep "sudo" README.md',
  'echo "git push" # git push',
  'cd src && npm test',
  'cd /work/app/src && ls',
  'cd src; cd ..; ls',
  'npm install',
  'npm ci && npm run build',
  'pip install -r requirements.txt',
  'git status --short && git diff --stat',
  'git log --oneline | head -3',
  'git reset --soft HEAD',
  'git tag -l "v*" | wc -l',
  'git branch --show-current',
  'git stash list',
  'git merge-base --is-ancestor HEAD~1 HEAD',
  'echo x > out.txt',
  'node a.js >/dev/null 2>&1',
  'cat /etc/hosts',
  'cp /etc/hosts fixtures/hosts',
  'test -f /work/app/a && rm -rf build',
  'FOO=1 timeout 10 node a.js',
  '! grep -q x a',
  'test $(grep -c x a) -ge 1',
  'echo $((1 + 2))',
  'sed -n 1,3p /etc/hosts',
  'ls -la 2>&1 | wc -l',
  'find . -name "*.ts" -exec grep -l x {} +',
  'ls | xargs -I {} test -f {}',
])('allowed: %s', (command) => {
  expect(refusalOf(command, place)).toBeUndefined()
})

test('commands are found behind quotes, pipes and substitutions', () => {
  const words = simpleCommands(`a "b c" | d 'e|f' && g $(h i; j) > k`).map((each) => each.words.join(' '))
  expect(words).toEqual(['a b c', 'd e|f', 'g $(h i; j)', 'h i', 'j'])
  expect(simpleCommands('a > b 2>&1 >> c')[0]?.writes).toEqual(['b', 'c'])
})

test('a line without an end does not take long and does not throw', () => {
  const before = process.cpuUsage().user
  for (const line of ['$('.repeat(20_000), '"'.repeat(20_001), '`'.repeat(20_001), '('.repeat(20_000)])
    expect(() => refusalOf(line, place)).not.toThrow()
  expect(process.cpuUsage().user - before).toBeLessThan(5_000_000)
})
