import { expect, test } from 'vitest'
import { lostTests } from '../../../../source/workflows/evidence/claims/test-files.js'

// Tests of many languages and runners, each with what takes something of them away, and what does not.

const py =
  'import unittest\nfrom scales import f\n\nclass T(unittest.TestCase):\n    def test_freeze(self):\n        self.assertEqual(f(0), 32)\n    def test_boil(self):\n        self.assertEqual(f(100), 212)\n'
const pyt =
  'import pytest\nfrom scales import f\n\ndef test_freeze():\n    assert f(0) == 32\n\ndef test_boil():\n    assert f(100) == 212\n'
const js = `import { equal } from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { f } from '../src/f.js'\n\ntest('freeze', () => equal(f(0), 32))\ntest('boil', () => equal(f(100), 212))\n`
const vi = `import { describe, expect, it } from 'vitest'\nimport { f } from '../src/f'\n\ndescribe('f', () => {\n  it('freezes', () => {\n    expect(f(0)).toBe(32)\n  })\n  it('boils', async () => {\n    expect(f(100)).toBe(212)\n  })\n})\n`
const rb = `require 'spec_helper'\n\nRSpec.describe Scale do\n  it 'freezes' do\n    expect(Scale.f(0)).to eq(32)\n  end\n\n  it 'boils' do\n    expect(Scale.f(100)).to eq(212)\n  end\nend\n`
const mini = `require 'test_helper'\n\nclass ScaleTest < Minitest::Test\n  def test_freezes\n    assert_equal 32, Scale.f(0)\n  end\n\n  def test_boils\n    assert_equal 212, Scale.f(100)\n  end\nend\n`
const php = `<?php\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class ScaleTest extends TestCase\n{\n    public function testFreezes(): void\n    {\n        $this->assertSame(32, Scale::f(0));\n    }\n\n    /** @test */\n    public function boils(): void\n    {\n        $this->assertSame(212, Scale::f(100));\n    }\n}\n`
const pest = `<?php\n\nit('freezes', function () {\n    expect(Scale::f(0))->toBe(32);\n});\n\ntest('boils', function () {\n    expect(Scale::f(100))->toBe(212);\n});\n`
const java = `package a;\n\nimport org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.*;\n\nclass ScaleTest {\n    @Test\n    void freezes() {\n        assertEquals(32, Scale.f(0));\n    }\n\n    @Test\n    void boils() {\n        assertEquals(212, Scale.f(100));\n    }\n}\n`
const kt = `class ScaleTest {\n    @Test\n    fun \`freezes at 32\`() {\n        assertEquals(32, f(0))\n    }\n\n    @Test\n    fun boils() = assertEquals(212, f(100))\n}\n`
const cs = `using Xunit;\n\npublic class ScaleTests\n{\n    [Fact]\n    public void Freezes()\n    {\n        Assert.Equal(32, Scale.F(0));\n    }\n\n    [Theory]\n    [InlineData(100, 212)]\n    public void Boils(int c, int want)\n    {\n        Assert.Equal(want, Scale.F(c));\n    }\n}\n`
const ex = `defmodule ScaleTest do\n  use ExUnit.Case\n\n  test "freezes" do\n    assert Scale.f(0) == 32\n  end\n\n  test "boils" do\n    assert Scale.f(100) == 212\n  end\nend\n`
const swift = `import XCTest\n\nfinal class ScaleTests: XCTestCase {\n    func testFreezes() throws {\n        XCTAssertEqual(f(0), 32)\n    }\n\n    func testBoils() {\n        XCTAssertEqual(f(100), 212)\n    }\n}\n`
const swt = `import Testing\n\n@Test func freezes() {\n    #expect(f(0) == 32)\n}\n\n@Test("boils") func boils() {\n    #expect(f(100) == 212)\n}\n`
const rs = `pub fn f(c: f64) -> f64 { c * 1.8 + 32.0 }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn freezes() {\n        assert_eq!(f(0.0), 32.0);\n    }\n\n    #[tokio::test]\n    async fn boils() {\n        assert_eq!(f(100.0), 212.0);\n    }\n}\n`
const go = `package scale\n\nimport "testing"\n\nfunc TestFreezes(t *testing.T) {\n\tif got := F(0); got != 32 {\n\t\tt.Errorf("got %v", got)\n\t}\n}\n\nfunc TestBoils(t *testing.T) {\n\tif got := F(100); got != 212 {\n\t\tt.Fatalf("got %v", got)\n\t}\n}\n`
const gt = `#include <gtest/gtest.h>\n#include "scale.h"\n\nTEST(Scale, Freezes) {\n  EXPECT_EQ(f(0), 32);\n}\n\nTEST(Scale, Boils) {\n  EXPECT_EQ(f(100), 212);\n}\n`
const c = `#include <assert.h>\n#include "scale.h"\n\nint main(void) {\n  assert(f(0) == 32);\n  assert(f(100) == 212);\n  return 0;\n}\n`
const dart = `import 'package:test/test.dart';\n\nvoid main() {\n  test('freezes', () {\n    expect(f(0), 32);\n  });\n  test('boils', () {\n    expect(f(100), 212);\n  });\n}\n`
const scala = `class ScaleSpec extends AnyFunSuite {\n  test("freezes") {\n    assert(f(0) == 32)\n  }\n  test("boils") {\n    assert(f(100) == 212)\n  }\n}\n`
const bats = `#!/usr/bin/env bats\n\n@test "freezes" {\n  run ./scale 0\n  [ "$output" = "32" ]\n}\n\n@test "boils" {\n  run ./scale 100\n  [ "$output" = "212" ]\n}\n`
const tf = `run "valid" {\n  command = plan\n  assert {\n    condition     = aws_s3_bucket.b.bucket == "x"\n    error_message = "wrong"\n  }\n}\n`

const change = (text: string, from: string | RegExp, to: string) => {
  const changed = text.replace(from, () => to)
  if (changed === text) throw new Error(`nothing is changed: ${from}`)
  return changed
}

const lostIn = (path: string, before: string, now: string | undefined) =>
  lostTests(
    {
      changedFrom: async () => [path],
      pathsAt: async () => [path],
      textAt: async () => before,
      movedFrom: async () => new Map<string, string>(),
    },
    { start: 'start', read: async () => now, plan: '### Task 1\n\n**Files:** src/scale.js\n' },
  )

type Row = [name: string, path: string, before: string, now: string | undefined]

const lost: Row[] = [
  [
    'py skipTest',
    'tests/test_scale.py',
    py,
    change(py, 'self.assertEqual(f(0), 32)', "self.skipTest('flaky')\n        self.assertEqual(f(0), 32)"),
  ],
  [
    'py SkipTest',
    'tests/test_scale.py',
    py,
    change(
      py,
      'self.assertEqual(f(0), 32)',
      "raise unittest.SkipTest('flaky')\n        self.assertEqual(f(0), 32)",
    ),
  ],
  [
    'py expectedFailure',
    'tests/test_scale.py',
    py,
    change(py, '    def test_freeze', '    @unittest.expectedFailure\n    def test_freeze'),
  ],
  [
    'py bare skip deco',
    'tests/test_scale.py',
    py,
    change(py, '    def test_freeze', '    @skip("x")\n    def test_freeze').replace(
      'import unittest',
      'import unittest\nfrom unittest import skip',
    ),
  ],
  [
    'pytest xfail',
    'tests/test_scale.py',
    pyt,
    change(pyt, 'def test_freeze', '@pytest.mark.xfail\ndef test_freeze'),
  ],
  [
    'pytest mark.skip',
    'tests/test_scale.py',
    pyt,
    change(pyt, 'def test_freeze', '@mark.skip\ndef test_freeze'),
  ],
  [
    'pytest importorskip',
    'tests/test_scale.py',
    pyt,
    change(pyt, 'import pytest\n', 'import pytest\npytest.importorskip("nope")\n'),
  ],
  [
    'pytest pytestmark xfail',
    'tests/test_scale.py',
    pyt,
    change(pyt, 'import pytest\n', 'import pytest\npytestmark = pytest.mark.xfail\n'),
  ],
  [
    'pytest pytestmark list',
    'tests/test_scale.py',
    pyt,
    change(pyt, 'import pytest\n', 'import pytest\npytestmark = [pytest.mark.skip]\n'),
  ],
  [
    'pytest param skip',
    'tests/test_scale.py',
    pyt,
    change(
      pyt,
      'def test_freeze',
      '@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.skip)])\ndef test_freeze',
    ),
  ],
  [
    'py __test__ False',
    'tests/test_scale.py',
    py,
    change(py, '    def test_freeze', '    __test__ = False\n\n    def test_freeze'),
  ],
  ['py rename method prefix', 'tests/test_scale.py', py, py.replace('def test_freeze', 'def check_freeze')],
  [
    'py docstring out',
    'tests/test_scale.py',
    pyt,
    change(
      pyt,
      'def test_freeze():\n    assert f(0) == 32\n',
      '"""\ndef test_freeze():\n    assert f(0) == 32\n"""\n',
    ),
  ],
  [
    'py try except',
    'tests/test_scale.py',
    pyt,
    change(
      pyt,
      '    assert f(0) == 32',
      '    try:\n        assert f(0) == 32\n    except AssertionError:\n        pass',
    ),
  ],
  [
    'py try except print',
    'tests/test_scale.py',
    pyt,
    change(
      pyt,
      '    assert f(0) == 32',
      '    try:\n        assert f(0) == 32\n    except AssertionError as e:\n        print(e)',
    ),
  ],
  [
    'py suppress',
    'tests/test_scale.py',
    pyt,
    change(
      pyt,
      '    assert f(0) == 32',
      '    with contextlib.suppress(AssertionError):\n        assert f(0) == 32',
    ),
  ],
  [
    'py return early',
    'tests/test_scale.py',
    pyt,
    change(pyt, '    assert f(0) == 32', '    return\n    assert f(0) == 32'),
  ],
  [
    'py if False',
    'tests/test_scale.py',
    pyt,
    change(pyt, '    assert f(0) == 32', '    if False:\n        assert f(0) == 32'),
  ],
  [
    'py assert tuple',
    'tests/test_scale.py',
    pyt,
    change(pyt, 'assert f(0) == 32', 'assert (f(0) == 32, "wrong")'),
  ],
  ['py or True', 'tests/test_scale.py', pyt, change(pyt, 'assert f(0) == 32', 'assert f(0) == 32 or True')],
  [
    'py commented body',
    'tests/test_scale.py',
    pyt,
    change(pyt, '    assert f(0) == 32', '    # assert f(0) == 32\n    pass'),
  ],
  [
    'py hash commented case',
    'tests/test_scale.py',
    pyt,
    change(pyt, 'def test_freeze():\n    assert f(0) == 32', '# def test_freeze():\n#     assert f(0) == 32'),
  ],
  ['js failing', 'test/f.test.js', vi, change(vi, "it('freezes'", "it.fails('freezes'")],
  ['js test.failing', 'test/f.test.js', vi, change(vi, "it('freezes'", "it.failing('freezes'")],
  ['js skipIf', 'test/f.test.js', vi, change(vi, "it('freezes'", "it.skipIf(true)('freezes'")],
  ['js runIf', 'test/f.test.js', vi, change(vi, "it('freezes'", "it.runIf(false)('freezes'")],
  ['js concurrent.skip', 'test/f.test.js', vi, change(vi, "it('freezes'", "it.concurrent.skip('freezes'")],
  ["js ['skip']", 'test/f.test.js', vi, change(vi, "it('freezes'", "it['skip']('freezes'")],
  ['js fit', 'test/f.test.js', vi, change(vi, "it('freezes'", "fit('freezes'")],
  ['js fdescribe', 'test/f.test.js', vi, change(vi, "describe('f'", "fdescribe('f'")],
  ['js describe.skip', 'test/f.test.js', vi, change(vi, "describe('f'", "describe.skip('f'")],
  [
    'js each empty',
    'test/f.test.js',
    vi,
    change(vi, "it('freezes', () => {", "it.each([])('freezes', () => {"),
  ],
  ['js xcontext', 'test/f.test.js', vi, change(vi, "describe('f'", "xcontext('f'")],
  [
    'js if(false)',
    'test/f.test.js',
    vi,
    change(vi, '    expect(f(0)).toBe(32)', '    if (false) expect(f(0)).toBe(32)'),
  ],
  [
    'js catch log',
    'test/f.test.js',
    vi,
    change(vi, '    expect(f(0)).toBe(32)', '    try { expect(f(0)).toBe(32) } catch (e) { console.log(e) }'),
  ],
  [
    'js .catch',
    'test/f.test.js',
    vi,
    change(
      vi,
      '    expect(f(100)).toBe(212)',
      '    await Promise.resolve().then(() => expect(f(100)).toBe(212)).catch(() => {})',
    ),
  ],
  [
    'js return early',
    'test/f.test.js',
    vi,
    change(vi, '    expect(f(0)).toBe(32)', '    return\n    expect(f(0)).toBe(32)'),
  ],
  [
    'js own equal',
    'test/f.test.js',
    js,
    change(js, "import { equal } from 'node:assert/strict'", 'const equal = () => {}'),
  ],
  [
    'js vi.mock unit',
    'test/f.test.js',
    vi,
    change(
      vi,
      "import { f } from '../src/f'",
      "import { f } from '../src/f'\n\nvi.mock('../src/f', () => ({ f: (c) => (c === 0 ? 32 : 212) }))",
    ),
  ],
  [
    'js local unit',
    'test/f.test.js',
    vi,
    change(vi, "import { f } from '../src/f'", 'const f = (c: number) => (c === 0 ? 32 : 212)'),
  ],
  ['js missing matcher call', 'test/f.test.js', vi, change(vi, 'expect(f(0)).toBe(32)', 'expect(f(0)).toBe')],
  ['js self compare', 'test/f.test.js', vi, change(vi, 'expect(f(0)).toBe(32)', 'expect(f(0)).toBe(f(0))')],
  [
    'rb skip',
    'spec/scale_spec.rb',
    rb,
    change(rb, '    expect(Scale.f(0))', "    skip 'flaky'\n    expect(Scale.f(0))"),
  ],
  [
    'rb pending',
    'spec/scale_spec.rb',
    rb,
    change(rb, '    expect(Scale.f(0))', "    pending 'flaky'\n    expect(Scale.f(0))"),
  ],
  ['rb xit', 'spec/scale_spec.rb', rb, change(rb, "it 'freezes'", "xit 'freezes'")],
  ['rb fit', 'spec/scale_spec.rb', rb, change(rb, "it 'freezes'", "fit 'freezes'")],
  ['rb skip: true', 'spec/scale_spec.rb', rb, change(rb, "it 'freezes' do", "it 'freezes', skip: true do")],
  ['rb :skip', 'spec/scale_spec.rb', rb, change(rb, "it 'freezes' do", "it 'freezes', :skip do")],
  [
    'rb gone case',
    'spec/scale_spec.rb',
    rb,
    change(rb, "  it 'boils' do\n    expect(Scale.f(100)).to eq(212)\n  end\n", ''),
  ],
  ['rb empty case', 'spec/scale_spec.rb', rb, change(rb, '    expect(Scale.f(100)).to eq(212)\n', '')],
  [
    'rb rescue',
    'spec/scale_spec.rb',
    rb,
    change(
      rb,
      '    expect(Scale.f(100)).to eq(212)\n',
      '    begin\n      expect(Scale.f(100)).to eq(212)\n    rescue Exception\n    end\n',
    ),
  ],
  ['rb file gone', 'spec/scale_spec.rb', rb, undefined],
  [
    'rb comment out',
    'spec/scale_spec.rb',
    rb,
    change(
      rb,
      "  it 'boils' do\n    expect(Scale.f(100)).to eq(212)\n  end\n",
      "  # it 'boils' do\n  #   expect(Scale.f(100)).to eq(212)\n  # end\n",
    ),
  ],
  [
    'mini skip',
    'test/scale_test.rb',
    mini,
    change(mini, '    assert_equal 32', '    skip\n    assert_equal 32'),
  ],
  ['mini empty', 'test/scale_test.rb', mini, change(mini, '    assert_equal 32, Scale.f(0)\n', '')],
  ['mini rename', 'test/scale_test.rb', mini, change(mini, 'def test_freezes', 'def dont_test_freezes')],
  [
    'php markTestSkipped',
    'tests/ScaleTest.php',
    php,
    change(
      php,
      '        $this->assertSame(32',
      "        $this->markTestSkipped('x');\n        $this->assertSame(32",
    ),
  ],
  [
    'php markTestIncomplete',
    'tests/ScaleTest.php',
    php,
    change(
      php,
      '        $this->assertSame(32',
      '        $this->markTestIncomplete();\n        $this->assertSame(32',
    ),
  ],
  [
    'php gone',
    'tests/ScaleTest.php',
    php,
    change(php, / {4}public function testFreezes[\s\S]*?\n {4}}\n/, ''),
  ],
  [
    'php hollow',
    'tests/ScaleTest.php',
    php,
    change(php, '$this->assertSame(32, Scale::f(0));', '$this->assertTrue(true);'),
  ],
  [
    'php expectNotToPerform',
    'tests/ScaleTest.php',
    php,
    change(php, '$this->assertSame(32, Scale::f(0));', '$this->expectNotToPerformAssertions();'),
  ],
  ['pest skip', 'tests/ScaleTest.php', pest, change(pest, '->toBe(32);\n});', '->toBe(32);\n})->skip();')],
  ['pest todo', 'tests/ScaleTest.php', pest, change(pest, '->toBe(32);\n});', '->toBe(32);\n})->todo();')],
  ['pest only', 'tests/ScaleTest.php', pest, change(pest, '->toBe(32);\n});', '->toBe(32);\n})->only();')],
  [
    'java Disabled',
    'src/test/java/a/ScaleTest.java',
    java,
    change(java, '    @Test\n    void freezes', '    @Disabled\n    @Test\n    void freezes'),
  ],
  [
    'java assume',
    'src/test/java/a/ScaleTest.java',
    java,
    change(java, '        assertEquals(32', '        assumeTrue(false);\n        assertEquals(32'),
  ],
  [
    'java DisabledOnOs',
    'src/test/java/a/ScaleTest.java',
    java,
    change(java, '    @Test\n    void freezes', '    @DisabledOnOs(OS.LINUX)\n    @Test\n    void freezes'),
  ],
  [
    'java EnabledIf',
    'src/test/java/a/ScaleTest.java',
    java,
    change(
      java,
      '    @Test\n    void freezes',
      '    @EnabledIfEnvironmentVariable(named = "X", matches = "1")\n    @Test\n    void freezes',
    ),
  ],
  [
    'java @Test gone',
    'src/test/java/a/ScaleTest.java',
    java,
    change(java, '    @Test\n    void freezes', '    void freezes'),
  ],
  [
    'java testng enabled=false',
    'src/test/java/a/ScaleTest.java',
    java,
    change(java, '    @Test\n    void freezes', '    @Test(enabled = false)\n    void freezes'),
  ],
  [
    'java expected',
    'src/test/java/a/ScaleTest.java',
    java,
    change(
      java,
      '    @Test\n    void freezes',
      '    @Test(expected = AssertionError.class)\n    void freezes',
    ),
  ],
  [
    'java catch',
    'src/test/java/a/ScaleTest.java',
    java,
    change(
      java,
      '        assertEquals(32, Scale.f(0));',
      '        try { assertEquals(32, Scale.f(0)); } catch (AssertionError e) { }',
    ),
  ],
  [
    'java catch comment',
    'src/test/java/a/ScaleTest.java',
    java,
    change(
      java,
      '        assertEquals(32, Scale.f(0));',
      '        try { assertEquals(32, Scale.f(0)); } catch (Throwable ignored) { // fine\n        }',
    ),
  ],
  [
    'java hollow',
    'src/test/java/a/ScaleTest.java',
    java,
    change(java, 'assertEquals(32, Scale.f(0))', 'assertTrue(true)'),
  ],
  ['kt hollow', 'src/test/kotlin/ScaleTest.kt', kt, change(kt, 'assertEquals(32, f(0))', 'assertTrue(true)')],
  [
    'kt gone',
    'src/test/kotlin/ScaleTest.kt',
    kt,
    change(kt, / {4}@Test\n {4}fun `freezes[\s\S]*?\n {4}}\n/, ''),
  ],
  [
    'kt Ignore',
    'src/test/kotlin/ScaleTest.kt',
    kt,
    change(kt, '    @Test\n    fun boils', '    @Test\n    @Ignore\n    fun boils'),
  ],
  ['cs Skip', 'tests/ScaleTests.cs', cs, change(cs, '[Fact]', '[Fact(Skip = "flaky")]')],
  ['cs Fact gone', 'tests/ScaleTests.cs', cs, change(cs, '    [Fact]\n', '')],
  ['cs Ignore', 'tests/ScaleTests.cs', cs, change(cs, '    [Fact]\n', '    [Ignore("x")]\n    [Fact]\n')],
  ['cs Explicit', 'tests/ScaleTests.cs', cs, change(cs, '    [Fact]\n', '    [Explicit]\n    [Fact]\n')],
  ['cs hollow', 'tests/ScaleTests.cs', cs, change(cs, 'Assert.Equal(32, Scale.F(0))', 'Assert.True(true)')],
  ['cs gone', 'tests/ScaleTests.cs', cs, change(cs, / {4}\[Fact\][\s\S]*?\n {4}}\n/, '')],
  [
    'cs #if',
    'tests/ScaleTests.cs',
    cs,
    change(cs, '    [Fact]\n', '#if NEVER\n    [Fact]\n').replace('    [Theory]', '#endif\n    [Theory]'),
  ],
  [
    'ex tag skip',
    'test/scale_test.exs',
    ex,
    change(ex, '  test "freezes"', '  @tag :skip\n  test "freezes"'),
  ],
  [
    'ex moduletag',
    'test/scale_test.exs',
    ex,
    change(ex, '  use ExUnit.Case\n', '  use ExUnit.Case\n  @moduletag :skip\n'),
  ],
  [
    'ex tag skip: ',
    'test/scale_test.exs',
    ex,
    change(ex, '  test "freezes"', '  @tag skip: "flaky"\n  test "freezes"'),
  ],
  ['ex gone', 'test/scale_test.exs', ex, change(ex, / {2}test "freezes"[\s\S]*?\n {2}end\n/, '')],
  ['ex hollow', 'test/scale_test.exs', ex, change(ex, 'assert Scale.f(0) == 32', 'assert true')],
  [
    'swift XCTSkip',
    'Tests/ScaleTests/ScaleTests.swift',
    swift,
    change(swift, '        XCTAssertEqual(f(0)', '        throw XCTSkip("x")\n        XCTAssertEqual(f(0)'),
  ],
  [
    'swift XCTSkipIf',
    'Tests/ScaleTests/ScaleTests.swift',
    swift,
    change(swift, '        XCTAssertEqual(f(0)', '        try XCTSkipIf(true)\n        XCTAssertEqual(f(0)'),
  ],
  [
    'swift rename',
    'Tests/ScaleTests/ScaleTests.swift',
    swift,
    change(swift, 'func testFreezes', 'func disabled_testFreezes'),
  ],
  [
    'swift XCTExpectFailure',
    'Tests/ScaleTests/ScaleTests.swift',
    swift,
    change(swift, '        XCTAssertEqual(f(0)', '        XCTExpectFailure()\n        XCTAssertEqual(f(0)'),
  ],
  [
    'swift hollow',
    'Tests/ScaleTests/ScaleTests.swift',
    swift,
    change(swift, 'XCTAssertEqual(f(0), 32)', 'XCTAssertTrue(true)'),
  ],
  [
    'swt disabled',
    'Tests/ScaleTests.swift',
    swt,
    change(swt, '@Test func freezes', '@Test(.disabled()) func freezes'),
  ],
  ['swt gone', 'Tests/ScaleTests.swift', swt, change(swt, /@Test func freezes[\s\S]*?\n}\n/, '')],
  [
    'swt withKnownIssue',
    'Tests/ScaleTests.swift',
    swt,
    change(swt, '    #expect(f(0) == 32)', '    withKnownIssue { #expect(f(0) == 32) }'),
  ],
  ['rs ignore', 'src/f.rs', rs, change(rs, '    #[test]\n', '    #[test]\n    #[ignore]\n')],
  ['rs ignore in tests', 'tests/f.rs', rs, change(rs, '    #[test]\n', '    #[test]\n    #[ignore = "x"]\n')],
  ['rs unit gone', 'src/f.rs', rs, change(rs, / {4}#\[test\][\s\S]*?\n {4}}\n/, '')],
  ['rs hollow src', 'src/f.rs', rs, change(rs, 'assert_eq!(f(0.0), 32.0);', 'assert!(true);')],
  ['rs hollow', 'tests/f.rs', rs, change(rs, 'assert_eq!(f(0.0), 32.0);', 'assert!(true);')],
  ['rs should_panic', 'tests/f.rs', rs, change(rs, '    #[test]\n', '    #[test]\n    #[should_panic]\n')],
  ['rs cfg never', 'tests/f.rs', rs, change(rs, '    #[test]\n', '    #[cfg(never)]\n    #[test]\n')],
  [
    'rs cfg_attr ignore',
    'tests/f.rs',
    rs,
    change(rs, '    #[test]\n', '    #[test]\n    #[cfg_attr(not(never), ignore)]\n'),
  ],
  ['rs mod cfg', 'src/f.rs', rs, change(rs, '#[cfg(test)]', '#[cfg(all(test, feature = "slow"))]')],
  ['rs let _', 'tests/f.rs', rs, change(rs, 'assert_eq!(f(0.0), 32.0);', 'let _ = f(0.0) == 32.0;')],
  ['go Skip', 'scale_test.go', go, change(go, '\tif got := F(0)', '\tt.Skip("x")\n\tif got := F(0)')],
  ['go build tag', 'scale_test.go', go, `//go:build never\n\n${go}`],
  [
    'go testing.Short',
    'scale_test.go',
    go,
    change(go, '\tif got := F(0)', '\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\tif got := F(0)'),
  ],
  ['go Log', 'scale_test.go', go, change(go, 't.Errorf', 't.Logf')],
  ['go rename', 'scale_test.go', go, change(go, 'func TestFreezes', 'func testFreezes')],
  ['go return', 'scale_test.go', go, change(go, '\tif got := F(0)', '\treturn\n\tif got := F(0)')],
  [
    'go recover',
    'scale_test.go',
    go,
    change(go, '\tif got := F(0)', '\tdefer func() { recover() }()\n\tif got := F(0)'),
  ],
  [
    'go TestMain exit',
    'scale_test.go',
    go,
    `${go}\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n`,
  ],
  ['go TestMain no run', 'scale_test.go', go, `${go}\nfunc TestMain(m *testing.M) {}\n`],
  [
    'gt DISABLED',
    'tests/scale_test.cc',
    gt,
    change(gt, 'TEST(Scale, Freezes)', 'TEST(Scale, DISABLED_Freezes)'),
  ],
  ['gt SKIP', 'tests/scale_test.cc', gt, change(gt, '  EXPECT_EQ(f(0)', '  GTEST_SKIP();\n  EXPECT_EQ(f(0)')],
  ['gt gone', 'tests/scale_test.cc', gt, change(gt, /TEST\(Scale, Freezes[\s\S]*?\n}\n/, '')],
  ['gt hollow', 'tests/scale_test.cpp', gt, change(gt, 'EXPECT_EQ(f(0), 32)', 'EXPECT_TRUE(true)')],
  ['gt file gone', 'tests/scale_test.cpp', gt, undefined],
  [
    'gt if0',
    'tests/scale_test.cpp',
    gt,
    change(gt, 'TEST(Scale, Freezes)', '#if 0\nTEST(Scale, Freezes)').replace(
      'TEST(Scale, Boils)',
      '#endif\nTEST(Scale, Boils)',
    ),
  ],
  [
    'c asserts gone',
    'tests/test_scale.c',
    c,
    change(c, '  assert(f(0) == 32);\n  assert(f(100) == 212);\n', ''),
  ],
  ['c one assert gone', 'tests/test_scale.c', c, change(c, '  assert(f(0) == 32);\n', '')],
  ['c NDEBUG', 'tests/test_scale.c', c, `#define NDEBUG\n${c}`],
  ['c file gone', 'tests/test_scale.c', c, undefined],
  [
    'dart skip',
    'test/scale_test.dart',
    dart,
    change(dart, '    expect(f(0), 32);\n  });', '    expect(f(0), 32);\n  }, skip: true);'),
  ],
  ['dart gone', 'test/scale_test.dart', dart, change(dart, / {2}test\('freezes'[\s\S]*?\n {2}}\);\n/, '')],
  ['dart file gone', 'test/scale_test.dart', dart, undefined],
  [
    'scala ignore',
    'src/test/scala/ScaleSpec.scala',
    scala,
    change(scala, '  test("freezes")', '  ignore("freezes")'),
  ],
  ['bats skip', 'test/scale.bats', bats, change(bats, '  run ./scale 0', '  skip\n  run ./scale 0')],
  ['bats gone', 'test/scale.bats', bats, change(bats, /@test "freezes"[\s\S]*?\n}\n/, '')],
  ['bats file gone', 'test/scale.bats', bats, undefined],
  ['tf gone', 'tests/main.tftest.hcl', tf, undefined],
]

test.each(lost)('taken away: %s', async (_name, path, before, now) => {
  expect((await lostIn(path, before, now)).map((one) => one.path)).toEqual([path])
})

const kept: Row[] = [
  [
    'py raises any',
    'tests/test_scale.py',
    pyt,
    change(pyt, '    assert f(0) == 32', '    with pytest.raises(Exception):\n        assert f(0) == 33'),
  ],
  ['js toBeDefined', 'test/f.test.js', vi, change(vi, 'expect(f(0)).toBe(32)', 'expect(f(0)).toBeDefined()')],
  ['js expect.anything', 'test/f.test.js', vi, change(vi, 'toBe(32)', 'toEqual(expect.anything())')],
  [
    'php attribute group',
    'tests/ScaleTest.php',
    php,
    change(
      php,
      '    public function testFreezes',
      '    #[RequiresPhp("99")]\n    public function testFreezes',
    ),
  ],
  [
    'py parametrize',
    'tests/test_scale.py',
    pyt,
    pyt.replace(
      /def test_freeze[\s\S]*$/,
      '@pytest.mark.parametrize("c,want", [(0, 32), (100, 212)])\ndef test_f(c, want):\n    assert f(c) == want\n',
    ),
  ],
  [
    'js restructure',
    'test/f.test.js',
    js,
    `${js}test('c', { skip: process.platform === 'win32' }, () => equal(f(1), 33.8))\n`,
  ],
  [
    'js cleanup catch',
    'test/f.test.js',
    vi,
    change(
      vi,
      '    expect(f(0)).toBe(32)',
      "    const v = f(0)\n    expect(v).toBe(32)\n    await rm('x').catch(() => {})",
    ),
  ],
  [
    'js mock dep',
    'test/f.test.js',
    vi,
    change(vi, "import { f } from '../src/f'", "import { f } from '../src/f'\n\nvi.mock('../src/log')"),
  ],
  [
    'js assert lib swap',
    'test/f.test.js',
    js,
    change(
      js,
      "import { equal } from 'node:assert/strict'",
      "import { strictEqual as equal } from 'node:assert'",
    ),
  ],
  [
    'go table',
    'scale_test.go',
    go,
    go.replace(
      /func TestFreezes[\s\S]*$/,
      'func TestF(t *testing.T) {\n\tfor _, c := range []struct{ in, want float64 }{{0, 32}, {100, 212}} {\n\t\tt.Run("x", func(t *testing.T) {\n\t\t\tif got := F(c.in); got != c.want {\n\t\t\t\tt.Errorf("got %v", got)\n\t\t\t}\n\t\t})\n\t}\n}\n',
    ),
  ],
  [
    'rb table',
    'spec/scale_spec.rb',
    rb,
    rb.replace(
      / {2}it 'freezes'[\s\S]*$/,
      '  { 0 => 32, 100 => 212 }.each do |c, want|\n    it "turns #{c}" do\n      expect(Scale.f(c)).to eq(want)\n    end\n  end\nend\n',
    ),
  ],
  [
    'java param',
    'src/test/java/a/ScaleTest.java',
    java,
    java.replace(
      / {4}@Test\n {4}void freezes[\s\S]*$/,
      '    @ParameterizedTest\n    @CsvSource({"0,32", "100,212"})\n    void converts(int c, int want) {\n        assertEquals(want, Scale.f(c));\n    }\n}\n',
    ),
  ],
  [
    'cs theory',
    'tests/ScaleTests.cs',
    cs,
    cs
      .replace(/ {4}\[Fact\][\s\S]*?\n {4}}\n\n/, '')
      .replace('[InlineData(100, 212)]', '[InlineData(0, 32)]\n    [InlineData(100, 212)]'),
  ],
  [
    'swift throws',
    'Tests/ScaleTests/ScaleTests.swift',
    swift,
    change(swift, 'XCTAssertEqual(f(0), 32)', 'let v = try XCTUnwrap(f(0))\n        XCTAssertEqual(v, 32)'),
  ],
  ['gt fixture', 'tests/scale_test.cc', gt, gt.replaceAll('TEST(Scale,', 'TEST_F(ScaleFixture,')],
  ['c more', 'tests/test_scale.c', c, change(c, '  return 0;', '  assert(k(0) == 273);\n  return 0;')],
  [
    'ex describe',
    'test/scale_test.exs',
    ex,
    ex.replace('  test "freezes"', '  describe "f/1" do\n  test "freezes"').replace(/end\n$/, 'end\nend\n'),
  ],
  [
    'mini names',
    'test/scale_test.rb',
    mini,
    change(mini, 'assert_equal 32, Scale.f(0)', 'assert_equal(32, Scale.f(0))'),
  ],
  [
    'rs more',
    'src/f.rs',
    rs,
    change(
      rs,
      '    #[test]\n',
      '    #[test]\n    fn warm() {\n        assert_eq!(f(40.0), 104.0);\n    }\n\n    #[test]\n',
    ),
  ],
  ['rs moved to tests/', 'src/f.rs', rs, change(rs, 'c * 1.8', '1.8 * c')],
  [
    'a new case for one system',
    'tests/test_scale.py',
    pyt,
    `${pyt}\n@pytest.mark.skipif(sys.platform == "win32", reason="posix")\ndef test_new():\n    assert f(1) == 33.8\n`,
  ],
]

test.each(kept)('nothing is taken away: %s', async (_name, path, before, now) => {
  expect(await lostIn(path, before, now)).toEqual([])
})

test('a helper that compares nothing takes the place of a library, one that does compare is a helper', async () => {
  const now = js.replace('node:assert/strict', './assert.js')
  const look = (helper: string) =>
    lostTests(
      {
        changedFrom: async () => ['test/f.test.js', 'test/assert.js'],
        pathsAt: async () => ['test/f.test.js'],
        textAt: async () => js,
        movedFrom: async () => new Map<string, string>(),
      },
      { start: 'start', read: async (path) => (path === 'test/assert.js' ? helper : now), plan: '' },
    )
  expect(await look('export const equal = () => {}\n')).toHaveLength(1)
  expect(await look("export { equal } from 'node:assert/strict'\n")).toEqual([])
})

test('an assertion that is replaced for all is told of the file that does it', async () => {
  const text = "import assert from 'node:assert/strict'\nassert.equal = () => {}\n"
  const look = (now: string) =>
    lostTests(
      {
        changedFrom: async () => ['test/setup.js'],
        pathsAt: async () => [],
        textAt: async () => undefined,
        movedFrom: async () => new Map<string, string>(),
      },
      { start: 'start', read: async () => now, plan: '' },
    )
  expect(await look(text)).toMatchObject([{ path: 'test/setup.js' }])
  expect(await look(text.replace('assert.equal = () => {}', 'assert.equal(1, 1)'))).toEqual([])
})
