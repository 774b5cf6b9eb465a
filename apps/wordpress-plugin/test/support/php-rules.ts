import { Engine } from 'php-parser';

/** A node of php-parser's tree. */
export interface Node {
  kind: string;
  loc?: { start: { line: number; offset: number } };
  [member: string]: unknown;
}

export interface Violation {
  rule: string;
  line: number;
  what: string;
}

/** A file of the plugin, ready for the rules. */
interface Source {
  text: string;
  lines: string[];
  tree: Node;
  /** Every node, outer ones first, with the nodes around it. */
  nodes: { node: Node; around: Node[] }[];
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).kind === 'string';
const nodeOf = (value: unknown): Node | null => (isNode(value) ? value : null);
const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

function walk(value: unknown, around: Node[], visit: (node: Node, around: Node[]) => void): void {
  if (Array.isArray(value)) return value.forEach((each) => walk(each, around, visit));
  if (!isNode(value)) return;
  visit(value, around);
  for (const [member, child] of Object.entries(value))
    if (!['loc', 'leadingComments', 'trailingComments', 'comments', 'errors', 'tokens'].includes(member))
      walk(child, [...around, value], visit);
}

/** @throws SyntaxError when PHP 7.4 could not read it */
function read(text: string, file: string): Source {
  const engine = new Engine({ parser: { version: '7.4', suppressErrors: false, extractDoc: true }, ast: { withPositions: true } });
  const tree = engine.parseCode(text, file) as unknown as Node;
  const nodes: Source['nodes'] = [];
  walk(tree, [], (node, around) => nodes.push({ node, around }));
  return { text, lines: text.split('\n'), tree, nodes };
}

const nameOf = (value: unknown): string => {
  const node = nodeOf(value);
  if (!node) return typeof value === 'string' ? value : '';
  return typeof node['name'] === 'string' ? node['name'] : nameOf(node['name']);
};
const literal = (value: unknown): string | null => {
  const node = nodeOf(value);
  return node?.kind === 'string' ? String(node['value']) : null;
};
/** Name of a called function, without namespace; empty for methods. */
const called = (node: Node): string =>
  node.kind === 'call' && nodeOf(node['what'])?.kind === 'name' ? nameOf(node['what']).replace(/^\\/, '') : '';
const argumentsOf = (node: Node): Node[] => listOf(node['arguments']);
/** `$wpdb->query` as `wpdb->query`, `Name::method` as it stands. */
const method = (node: Node): string => {
  const what = node.kind === 'call' ? nodeOf(node['what']) : null;
  if (what?.kind === 'propertylookup') return `${nameOf(what['what'])}->${nameOf(what['offset'])}`;
  return what?.kind === 'staticlookup' ? `${nameOf(what['what'])}::${nameOf(what['offset'])}` : '';
};
const lineOf = (node: Node) => node.loc?.start.line ?? 0;
const offsetOf = (node: Node) => node.loc?.start.offset ?? 0;

const escaping = /^(esc_html|esc_attr|esc_url|esc_textarea|esc_js|esc_html__|esc_attr__|wp_kses_post|absint|checked|selected|disabled)$/;

/** Whether what is printed is escaped where it is printed. */
function isEscaped(node: Node | null): boolean {
  if (!node) return true;
  if (node.kind === 'string' || node.kind === 'number') return true;
  if (node.kind === 'bin' && node['type'] === '.') return isEscaped(nodeOf(node['left'])) && isEscaped(nodeOf(node['right']));
  if (node.kind === 'retif') return isEscaped(nodeOf(node['trueExpr'])) && isEscaped(nodeOf(node['falseExpr']));
  if (node.kind === 'cast') return node['type'] === 'int';
  return escaping.test(called(node));
}

/** Whether a string holds no values but names of WordPress's tables. */
function isConstantSql(node: Node | undefined): boolean {
  if (node?.kind === 'string') return true;
  if (node?.kind !== 'encapsed') return false;
  return listOf(node['value']).every((part) => {
    const inner = part.kind === 'encapsedpart' ? nodeOf(part['expression']) : part;
    return inner?.kind === 'string' || (inner?.kind === 'propertylookup' && nameOf(inner['what']) === 'wpdb');
  });
}

const superglobals = new Set(['_POST', '_GET', '_REQUEST', '_COOKIE', '_FILES']);
const translating = new Set(['__', '_e', '_x', '_n', 'esc_html__', 'esc_attr__', 'esc_html_e', 'esc_attr_e']);
const forbidden = new Set([
  ...[
    'create_function',
    'exec',
    'shell_exec',
    'system',
    'passthru',
    'popen',
    'proc_open',
    'assert',
    'extract',
    'unserialize',
    'var_dump',
    'print_r',
  ],
  ...[
    'error_log',
    'phpinfo',
    'ini_set',
    'set_time_limit',
    'fopen',
    'fsockopen',
    'parse_str',
    'query_posts',
    'wp_mail',
    'printf',
    'vprintf',
  ],
  ...['wp_enqueue_script', 'wp_enqueue_style', 'esc_html_e', 'esc_attr_e', '_e'],
]);
const newerFunctions = new Set([
  'str_contains',
  'str_starts_with',
  'str_ends_with',
  'array_is_list',
  'get_debug_type',
  'get_resource_id',
  'fdiv',
]);
/** Kinds of nodes that PHP 7.4 does not know, although the parser reads them. */
const newerKinds = new Set([
  'match',
  'uniontype',
  'intersectiontype',
  'nullsafepropertylookup',
  'attribute',
  'attrgroup',
  'enum',
  'namedargument',
]);
/** Reads that need no nonce: why, by the function. */
const withoutNonce = new Set(['answer_beside_rest']);

type Rule = (source: Source, report: (node: Node | number, what: string) => void) => void;

const functionAround = (around: Node[]) => around.findLast(({ kind }) => ['method', 'function', 'closure', 'arrowfunc'].includes(kind));
const callsIn = (root: Node): Node[] => {
  const calls: Node[] = [];
  walk(root, [], (node) => node.kind === 'call' && calls.push(node));
  return calls;
};

/** After WordPress/plugin-check: what its reviewers ask of plugins. */
export const rules: Record<string, Rule> = {
  'no direct access': ({ tree }, report) => {
    const first = listOf(tree['children'])[0];
    const guard = nodeOf(first?.['expression']);
    const call = nodeOf(guard?.['left']);
    const isGuard =
      guard?.kind === 'bin' && guard['type'] === '||' && call && called(call) === 'defined' && literal(argumentsOf(call)[0]) === 'ABSPATH';
    if (!isGuard || nodeOf(guard['right'])?.kind !== 'exit') report(1, 'the first statement is not the guard of ABSPATH');
  },
  'PHP 7.4': ({ nodes, text, lines }, report) => {
    for (const { node } of nodes) {
      if (newerKinds.has(node.kind)) report(node, node.kind);
      if (newerFunctions.has(called(node))) report(node, called(node));
      if (node.kind === 'parameter' && (node['flags'] || node['readonly'])) report(node, 'promoted parameter');
      if ((node.kind === 'property' || node.kind === 'propertystatement') && node['readonly']) report(node, 'readonly');
      if (node.kind === 'catch' && !node['variable']) report(node, 'catch without a variable');
      if (node.kind === 'throw' && node['isExpression']) report(node, 'throw as an expression');
      const type = node.kind === 'method' || node.kind === 'function' || node.kind === 'closure' ? nodeOf(node['type']) : null;
      if (type && ['static', 'mixed', 'never'].includes(nameOf(type))) report(node, `type ${nameOf(type)}`);
      if (node.kind === 'parameter' && nodeOf(node['type']) && nameOf(node['type']) === 'mixed') report(node, 'type mixed');
    }
    for (const sign of [/\?->/, /^\s*#\[/m, /\breadonly\s+(\??\w+\s+)?\$/, /^\s*enum\s+\w+\s*[:{]/, /\bfn\b.*=>.*\bthrow\b/])
      lines.forEach((line, index) => !/^\s*(\*|\/\/|\/\*)/.test(line) && sign.test(line) && report(index + 1, String(sign)));
    if (/\bfunction\s+\w*\s*\([^)]*,\s*\)/.test(text)) report(1, 'comma after the last parameter');
  },
  'escaped where it is printed': ({ nodes }, report) => {
    for (const { node } of nodes) {
      if (node.kind === 'echo') for (const part of listOf(node['expressions'])) if (!isEscaped(part)) report(part, 'echo');
      if (node.kind === 'print' || node.kind === 'inline') report(node, node.kind);
      if (node.kind === 'exit' && !isEscaped(nodeOf(node['expression']))) report(node, 'exit');
      if (called(node) === 'wp_die') for (const part of argumentsOf(node).slice(0, 2)) if (!isEscaped(part)) report(node, 'wp_die');
    }
  },
  'nonce and right': ({ nodes }, report) => {
    for (const { node, around } of nodes) {
      if (node.kind === 'variable' && superglobals.has(nameOf(node))) {
        const within = functionAround(around);
        const isAsked = around.some(({ kind }) => kind === 'isset' || kind === 'empty');
        if (isAsked && nameOf(node) === '_GET') continue;
        if (!within) report(node, 'read outside of a function');
        else if (!withoutNonce.has(nameOf(within))) {
          const before = callsIn(within)
            .filter((call) => offsetOf(call) < offsetOf(node))
            .map(called);
          for (const needed of ['check_admin_referer', 'current_user_can'])
            if (!before.includes(needed)) report(node, `no ${needed} before`);
        } else if (!callsIn(within).some((call) => method(call) === 'Decola_Receiver::handle')) report(node, 'not handed to the receiver');
        const isCleaned = around.some((each) => /^(sanitize_|absint$|wp_unslash$|is_string$|is_array$)/.test(called(each)));
        if (!isAsked && !isCleaned && nameOf(node) !== '_FILES') report(node, 'not cleaned');
      }
      if (called(node) === 'register_rest_route' && !JSON.stringify(argumentsOf(node)).includes('"permission_callback"'))
        report(node, 'no permission_callback');
      if (/^add_(options|menu|submenu)_page$/.test(called(node)) && !argumentsOf(node).some((each) => literal(each) === 'manage_options'))
        report(node, 'a page for everybody');
    }
  },
  prefixes: ({ nodes }, report) => {
    for (const { node, around } of nodes) {
      if (node.kind === 'class' && !/^Decola_/.test(nameOf(node))) report(node, nameOf(node));
      if (node.kind === 'function' && !/^decola_/.test(nameOf(node))) report(node, nameOf(node));
      const first = literal(argumentsOf(node)[0]);
      if (called(node) === 'define' && !/^DECOLA_/.test(first ?? '')) report(node, String(first));
      if (/^(update_option|add_option|delete_option|set_transient|do_action)$/.test(called(node))) {
        const name = first ?? literal(nodeOf(argumentsOf(node)[0]?.['left']));
        if (!/^decola_/.test(name ?? '')) report(node, `${called(node)} ${String(name)}`);
      }
      if (/^(update|add)_(post|user)_meta$/.test(called(node)) && !/^_decola_/.test(literal(argumentsOf(node)[1]) ?? ''))
        report(node, called(node));
      if (
        node.kind === 'assign' &&
        nodeOf(node['left'])?.kind === 'variable' &&
        !functionAround(around) &&
        !/^decola_/.test(nameOf(node['left']))
      )
        report(node, `$${nameOf(node['left'])}`);
    }
  },
  'prepared SQL': ({ nodes }, report) => {
    for (const { node } of nodes) {
      const name = method(node);
      const [first] = argumentsOf(node);
      if (
        /^wpdb->(query|get_var|get_row|get_results|get_col)$/.test(name) &&
        !(first && method(first) === 'wpdb->prepare') &&
        !isConstantSql(first)
      )
        report(node, name);
      if (name === 'wpdb->prepare' && !isConstantSql(first)) report(node, name);
      if (/^(mysqli?_|pg_)/.test(called(node))) report(node, called(node));
    }
  },
  'text domain': ({ nodes, lines }, report) => {
    for (const { node } of nodes) {
      if (!translating.has(called(node))) continue;
      const words = argumentsOf(node);
      const text = literal(words[0]);
      if (text === null) report(node, 'no constant text');
      if (words.length < 2 || literal(words.at(-1)) !== 'decola') report(node, `domain ${String(literal(words.at(-1)))}`);
      const above = lines.slice(Math.max(0, lineOf(node) - 3), lineOf(node) - 1).join('\n');
      if (text && /%(\d\$)?[sd]/.test(text) && !above.includes('translators:')) report(node, 'no comment for translators');
    }
  },
  'nothing that runs text': ({ nodes, text }, report) => {
    for (const { node, around } of nodes) {
      if (['eval', 'goto'].includes(node.kind) || node['type'] === 'shell') report(node, node.kind);
      if (forbidden.has(called(node))) report(node, called(node));
      if (node.kind === 'silent') report(node, '@');
      if (called(node) === 'file_get_contents' && literal(argumentsOf(node)[0]) !== 'php://input') report(node, 'file_get_contents');
      // Other users than nobody would switch the filters for texts off.
      if (called(node) === 'wp_set_current_user' && String(argumentsOf(node)[0]?.['value']) !== '0') report(node, 'wp_set_current_user');
      const around0 = around.find(({ kind }) => kind === 'class');
      if (
        /^(wp_remote_|wp_safe_remote_|download_url|curl_)/.test(called(node)) &&
        !/^wp_remote_retrieve_/.test(called(node)) &&
        !/^Decola_(Connection|Media|Pickup)$/.test(around0 ? nameOf(around0) : '')
      )
        report(node, `${called(node)} in ${around0 ? nameOf(around0) : 'no class'}`);
    }
    if (/<\?(?!php\s|xml )/.test(text)) report(1, 'short tag');
    if (/\?>\s*$/.test(text)) report(1, 'closing tag');
  },
  'nothing from elsewhere': ({ nodes }, report) => {
    for (const { node } of nodes) {
      const text = node.kind === 'string' ? String(node['value']) : '';
      if (/(https?:)?\/\/[a-z0-9-]+\.[a-z]/i.test(text) || /<(script|link|style|iframe)\b/i.test(text)) report(node, text);
    }
  },
};

/** @returns what breaks a rule in a file of the plugin */
export function violations(text: string, file = 'file.php'): Violation[] {
  const source = read(text, file);
  return Object.entries(rules).flatMap(([rule, check]) => {
    const found: Violation[] = [];
    check(source, (node, what) => found.push({ rule, line: typeof node === 'number' ? node : lineOf(node), what }));
    return found;
  });
}
