import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { wordPressPrograms } from '../testing/wordpress.js';
import { rules, violations } from './support/php-rules.js';

const run = promisify(execFile);
const plugin = path.resolve(__dirname, '../plugin');
const files = globSync('**/*.php', { cwd: plugin }).sort();
const guard = `<?php\ndefined( 'ABSPATH' ) || exit;\n`;

/** For every rule, code that breaks it alone. */
const broken: Record<keyof typeof rules, string[]> = {
  'no direct access': ['<?php\n$decola_a = 1;\n', `<?php\ndefined( 'WPINC' ) || exit;\n`],
  'PHP 7.4': [
    'function decola_a( int|string $a ) {}',
    'class Decola_A { public function __construct( private int $a ) {} }',
    'class Decola_A { public readonly int $a; }',
    'function decola_a( $a ) { return $a?->b; }',
    'function decola_a( $a ) { return match ( $a ) { 1 => 2, default => 3 }; }',
    'function decola_a( $a ) { return str_contains( $a, "b" ); }',
    'function decola_a(): mixed {}',
    'function decola_a( $a, ) {}',
    'function decola_a() { try { decola_b(); } catch ( Exception ) { return; } }',
  ],
  'escaped where it is printed': [
    'function decola_a( $a ) { echo $a; }',
    `function decola_a( $a ) { echo '<b>' . $a . '</b>'; }`,
    'function decola_a( $a ) { echo "<b>$a</b>"; }',
    `function decola_a( $a ) { echo __( 'a', 'decola' ); }`,
    `function decola_a( $a ) { echo $a ? esc_html( $a ) : $a; }`,
    'function decola_a( $a ) { exit( $a ); }',
    'function decola_a( $a ) { wp_die( $a ); }',
  ],
  'nonce and right': [
    `function decola_a() { check_admin_referer( 'a' ); return absint( $_POST['a'] ); }`,
    `function decola_a() { current_user_can( 'manage_options' ); return absint( $_POST['a'] ); }`,
    `function decola_a() { $a = absint( $_POST['a'] ); check_admin_referer( 'a' ); current_user_can( 'manage_options' ); return $a; }`,
    `function decola_a() { check_admin_referer( 'a' ); current_user_can( 'manage_options' ); return $_POST['a']; }`,
    `function decola_a() { register_rest_route( 'decola/v1', '/a', array( 'methods' => 'GET' ) ); }`,
    `function decola_a() { add_options_page( 'a', 'a', 'read', 'a' ); }`,
  ],
  prefixes: [
    'class Settings {}',
    'function save() {}',
    `define( 'VERSION', 1 );`,
    `function decola_a() { update_option( 'a', 1 ); }`,
    `function decola_a() { update_post_meta( 1, 'a', 1 ); }`,
    '$a = 1;',
  ],
  'prepared SQL': [
    'function decola_a( $wpdb, $a ) { $wpdb->query( "DELETE FROM a WHERE b = $a" ); }',
    `function decola_a( $wpdb, $a ) { $wpdb->get_var( 'SELECT ' . $a ); }`,
    'function decola_a( $wpdb, $a ) { $wpdb->query( $wpdb->prepare( "SELECT $a FROM b WHERE c = %d", 1 ) ); }',
  ],
  'text domain': [
    `function decola_a() { return __( 'a' ); }`,
    `function decola_a() { return __( 'a', 'other' ); }`,
    `function decola_a( $a ) { return __( $a, 'decola' ); }`,
    `function decola_a() { return sprintf( __( 'a %d', 'decola' ), 1 ); }`,
  ],
  'nothing that runs text': [
    'function decola_a( $a ) { return eval( $a ); }',
    'function decola_a( $a ) { return shell_exec( $a ); }',
    'function decola_a( $a ) { return `ls`; }',
    'function decola_a( $a ) { return unserialize( $a ); }',
    'function decola_a( $a ) { return file_get_contents( $a ); }',
    'function decola_a() { wp_set_current_user( 1 ); }',
    `function decola_a( $a ) { return wp_remote_get( $a ); }`,
    'function decola_a() {}\n?>',
  ],
  'nothing from elsewhere': [
    `function decola_a() { return 'https://fonts.example.com/a.css'; }`,
    `function decola_a() { echo '<script src="a.js"></script>'; }`,
  ],
};

describe('the code of the plugin', () => {
  it.each(files)('%s follows the rules for plugins', (file) => {
    expect(violations(readFileSync(path.join(plugin, file), 'utf8'), file)).toEqual([]);
  });

  it('has no syntax that PHP does not know', async () => {
    const { php, phpOptions, env } = await wordPressPrograms();
    const all = files.map((file) => path.join(plugin, file));
    for (const file of all)
      expect((await run(php, [...phpOptions, '-l', file], { env: { ...process.env, ...env } })).stdout).toContain('No syntax errors');
  });

  it('calls no function that newer versions of WordPress than the oldest supported one brought', () => {
    const newer =
      /\b(wp_get_admin_notice|wp_admin_notice|wp_trigger_error|wp_is_serving_rest_request|wp_generate_block_templates_export_file|WP_HTML_Tag_Processor)\b|%i\b/;
    for (const file of files) expect(readFileSync(path.join(plugin, file), 'utf8')).not.toMatch(newer);
  });
});

describe('the rules for plugins', () => {
  it('have an example each', () => expect(Object.keys(broken)).toEqual(Object.keys(rules)));

  it.each(Object.entries(broken).flatMap(([rule, examples]) => examples.map((example) => [rule, example] as const)))(
    '%s: %s',
    (rule, example) => {
      const code = example.startsWith('<?php') ? example : guard + example;
      // What the parser itself refuses at 7.4 is refused too.
      const found = () => {
        try {
          return violations(code).map((each) => each.rule);
        } catch (error) {
          return [error instanceof SyntaxError ? 'PHP 7.4' : String(error)];
        }
      };
      expect(new Set(found())).toEqual(new Set([rule]));
    },
  );
});
