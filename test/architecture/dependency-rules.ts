import type { IFlattenedRuleSet, IForbiddenRuleType } from 'dependency-cruiser';

/** What the production sources of a package may import. */
interface Boundary {
  readonly name: string;
  readonly package: string;
  readonly workspaces: readonly string[];
  readonly modules: readonly string[];
  readonly nodeBuiltIns: boolean;
}

const ADAPTER = { workspaces: ['core', 'identity'], nodeBuiltIns: true };
const SQL_ADAPTER = { workspaces: ['core', 'sql-common'], nodeBuiltIns: true };

/** All other imports are forbidden. */
const BOUNDARIES: readonly Boundary[] = [
  { name: 'core-imports-only-big-js', package: 'core', workspaces: [], modules: ['big.js'], nodeBuiltIns: false },
  { name: 'identity-imports-only-core-and-tldts', package: 'identity', workspaces: ['core'], modules: ['tldts'], nodeBuiltIns: false },
  { name: 'json-text-imports-only-node', package: 'json-text', workspaces: [], modules: [], nodeBuiltIns: true },
  { name: 'wire-kit-imports-only-core-and-json-text', package: 'wire-kit', workspaces: ['core', 'json-text'], modules: [], nodeBuiltIns: false },
  { name: 'wire-chat-imports-only-core-and-wire-kit', package: 'wire-chat', workspaces: ['core', 'wire-kit'], modules: [], nodeBuiltIns: false },
  { name: 'wire-messages-imports-only-core-json-text-and-wire-kit', package: 'wire-messages', workspaces: ['core', 'json-text', 'wire-kit'], modules: [], nodeBuiltIns: false },
  { name: 'wire-responses-imports-only-core-json-text-and-wire-kit', package: 'wire-responses', workspaces: ['core', 'json-text', 'wire-kit'], modules: [], nodeBuiltIns: false },
  { name: 'api-contract-imports-only-core-and-zod', package: 'api-contract', workspaces: ['core'], modules: ['zod'], nodeBuiltIns: false },
  { name: 'adapters-memory-imports-only-core-and-identity', package: 'adapters-memory', ...ADAPTER, modules: [] },
  { name: 'sql-common-imports-only-core-identity-and-kysely', package: 'sql-common', ...ADAPTER, modules: ['kysely'] },
  { name: 'adapters-sqlite-imports-only-sql-common-and-its-driver', package: 'adapters-sqlite', ...SQL_ADAPTER, modules: ['kysely', 'better-sqlite3'] },
  { name: 'adapters-postgres-imports-only-sql-common-and-its-driver', package: 'adapters-postgres', ...SQL_ADAPTER, modules: ['kysely', 'pg'] },
  { name: 'adapters-redis-imports-only-core-and-its-driver', package: 'adapters-redis', workspaces: ['core'], nodeBuiltIns: true, modules: ['ioredis', 'rate-limiter-flexible'] },
  { name: 'adapters-mail-imports-only-core-identity-and-its-driver', package: 'adapters-mail', ...ADAPTER, modules: ['nodemailer'] },
  { name: 'adapters-pdf-imports-only-core-and-its-libraries', package: 'adapters-pdf', workspaces: ['core'], nodeBuiltIns: true, modules: ['dejavu-fonts-ttf', 'fontkit', 'pdfkit'] },
  { name: 'adapters-stripe-imports-only-core-and-its-library', package: 'adapters-stripe', workspaces: ['core'], nodeBuiltIns: true, modules: ['stripe'] },
  {
    name: 'adapters-sign-in-imports-only-core-identity-and-its-protocols',
    package: 'adapters-sign-in',
    ...ADAPTER,
    modules: ['@simplewebauthn/server', 'openid-client', 'otpauth'],
  },
  { name: 'adapters-node-imports-only-core-and-identity', package: 'adapters-node', ...ADAPTER, modules: [] },
  { name: 'composition-imports-only-core-identity-adapters-node-and-its-container', package: 'composition', workspaces: ['core', 'identity', 'adapters-node'], modules: ['inversify'], nodeBuiltIns: false },
  { name: 'adapters-config-imports-only-core-identity-and-its-parsers', package: 'adapters-config', ...ADAPTER, modules: ['sanitize-html', 'yaml', 'zod'] },
  { name: 'adapters-upstream-imports-only-core-json-text-and-its-driver', package: 'adapters-upstream', workspaces: ['core', 'json-text'], modules: ['undici'], nodeBuiltIns: true },
  {
    name: 'testkit-imports-only-core-and-identity',
    package: 'testkit',
    workspaces: ['core', 'identity'],
    modules: ['fast-check', '@jest/globals', 'mailparser', 'oidc-provider', 'pdfjs-dist', 'smtp-server'],
    nodeBuiltIns: true,
  },
];

/** Pattern of the files that may import anything. */
export const TEST_FILES = '(\\.test\\.tsx?$|/test-support/|^(packages|apps|tools)/[^/]+/test/)';

function escaped(name: string): string {
  return name.replaceAll('.', '\\.');
}

/** A rule that forbids all modules except the permitted ones. A module that is not installed is forbidden too, because its name stays bare. */
function ruleFor(boundary: Boundary): IForbiddenRuleType {
  const permitted = [
    ...[boundary.package, ...boundary.workspaces].map((name) => `(^|/)packages/${name}/src/`),
    ...boundary.modules.map((name) => `(^|/)node_modules/(@types/)?${escaped(name)}/`),
  ];
  return {
    name: boundary.name,
    severity: 'error',
    from: { path: `^packages/${boundary.package}/src/`, pathNot: TEST_FILES },
    to: { pathNot: permitted, ...(boundary.nodeBuiltIns ? { dependencyTypesNot: ['core'] } : {}) },
  };
}

const PRODUCT_WIDE: readonly IForbiddenRuleType[] = [
  {
    name: 'apps-never-import-another-app',
    severity: 'error',
    from: { path: '^apps/([^/]+)/' },
    to: { path: '(^|/)apps/[^/]+/', pathNot: '(^|/)apps/$1/' },
  },
  {
    name: 'packages-never-import-an-app',
    severity: 'error',
    from: { path: '^packages/' },
    to: { path: '(^|/)apps/[^/]+/' },
  },
  {
    // The kit tests compiled programs of any checkout from outside, so it imports none of their sources.
    name: 'kit-imports-no-package',
    severity: 'error',
    from: { path: '^tools/kit/' },
    to: { path: '(^|/)packages/[^/]+/' },
  },
  {
    // These tools also test compiled programs from outside, but start upstreams and databases with the testkit.
    name: 'siege-and-peers-import-only-the-testkit',
    severity: 'error',
    from: { path: '^tools/(siege|peers)/' },
    to: { path: '(^|/)packages/[^/]+/', pathNot: '(^|/)packages/testkit/' },
  },
  {
    name: 'tools-start-apps-and-import-none',
    severity: 'error',
    // The browser tool runs the gateway in its own process to control the clock.
    from: { path: '^tools/', pathNot: '^tools/browser/' },
    to: { path: '(^|/)apps/[^/]+/' },
  },
  {
    name: 'tools-share-only-their-kit',
    severity: 'error',
    from: { path: '^tools/([^/]+)/' },
    to: { path: '(^|/)tools/[^/]+/', pathNot: '(^|/)tools/($1|kit)/' },
  },
  {
    name: 'packages-and-apps-never-import-a-tool',
    severity: 'error',
    from: { path: '^(packages|apps)/' },
    to: { path: '(^|/)tools/[^/]+/' },
  },
  {
    name: 'server-lives-in-the-gateway',
    severity: 'error',
    // The bench contains a bare Express server, the baseline of its figures.
    from: { pathNot: ['^apps/gateway/', '^tools/bench/src/subjects/pass-through-main\\.ts$'] },
    to: { path: '(^|/)node_modules/(@types/)?express/' },
  },
  {
    name: 'container-lives-in-the-gateway-and-composition',
    severity: 'error',
    from: { pathNot: ['^apps/gateway/', '^packages/composition/'] },
    to: { path: '(^|/)node_modules/(inversify|reflect-metadata)/' },
  },
  {
    // Only a gateway that sends mail loads the mail library.
    name: 'mail-is-loaded-at-its-first-delivery',
    severity: 'error',
    from: { path: '^(apps/(gateway|cli)|packages/adapters-mail)/', pathNot: [TEST_FILES, '^packages/adapters-mail/src/(smtp-transport|smtp-sockets|mail-folder|message-options)\\.ts$'] },
    to: { path: ['(^|/)packages/adapters-mail/src/(smtp-transport|smtp-sockets|mail-folder|message-options)\\.ts$', '(^|/)node_modules/nodemailer/'], dynamic: false, dependencyTypesNot: ['type-only'] },
  },
  {
    // A thread of its own renders documents, so only that thread loads the libraries.
    name: 'pdf-libraries-are-loaded-in-their-thread',
    severity: 'error',
    from: { path: '^(apps/(gateway|cli)|packages/adapters-pdf)/', pathNot: [TEST_FILES, '^packages/adapters-pdf/src/render-document\\.ts$'] },
    to: { path: ['(^|/)packages/adapters-pdf/src/render-document\\.ts$', '(^|/)node_modules/(pdfkit|fontkit)/'], dynamic: false, dependencyTypesNot: ['type-only'] },
  },
  {
    // Only a gateway with payments loads the library of the provider.
    name: 'payments-are-loaded-at-their-first-use',
    severity: 'error',
    from: { path: '^(apps/(gateway|cli)|packages/adapters-stripe)/', pathNot: [TEST_FILES, '^packages/adapters-stripe/src/(stripe-provider|stripe-client|provider-failure)\\.ts$'] },
    to: {
      path: ['(^|/)packages/adapters-stripe/src/(stripe-provider|stripe-client|provider-failure)\\.ts$', '(^|/)node_modules/stripe/'],
      dynamic: false,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    // A gateway loads only the driver of its own database.
    name: 'database-drivers-are-loaded-with-their-database',
    severity: 'error',
    from: { path: '^(apps/(gateway|cli)|packages/sql-common)/', pathNot: TEST_FILES },
    to: { path: '(^|/)packages/adapters-(sqlite|postgres)/', dynamic: false, dependencyTypesNot: ['type-only'] },
  },
  {
    // Only a gateway with these sign-ins loads their libraries.
    name: 'sign-in-libraries-are-loaded-at-their-first-use',
    severity: 'error',
    from: { path: '^(apps/(gateway|cli)|packages/adapters-sign-in)/', pathNot: [TEST_FILES, '^packages/adapters-sign-in/src/(passkey-ceremonies|issuer-client)\\.ts$'] },
    to: {
      path: ['(^|/)packages/adapters-sign-in/src/(passkey-ceremonies|issuer-client)\\.ts$', '(^|/)node_modules/(@simplewebauthn|openid-client|otpauth)/'],
      dynamic: false,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    // Only a program that reads a catalogue file loads the parser and the schema.
    name: 'catalogue-parser-is-loaded-with-its-file',
    severity: 'error',
    from: { path: '^(apps/(gateway|cli)|packages/adapters-config)/', pathNot: [TEST_FILES, '^packages/adapters-config/src/catalogue/(catalogue-file|decode-catalogue|catalogue-text)\\.ts$'] },
    to: {
      path: ['(^|/)packages/adapters-config/src/catalogue/(catalogue-file|decode-catalogue|catalogue-text)\\.ts$', '(^|/)node_modules/yaml/'],
      dynamic: false,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'sources-never-import-the-testkit',
    severity: 'error',
    from: { pathNot: ['^packages/testkit/', '^tools/(chaos|bench|peers|siege)/', TEST_FILES] },
    to: { path: '(^|/)packages/testkit/' },
  },
  {
    // Authors of other adapters run the contracts on any test runner. The contract of mail transports is an exception.
    name: 'contracts-need-no-test-runner',
    severity: 'error',
    from: { path: '^packages/testkit/src/contracts(/|\\.ts$)', pathNot: [TEST_FILES, 'mail-transport-contract\\.ts$'] },
    to: { path: ['(^|/)node_modules/(@jest/|fast-check/|mailparser/|oidc-provider/|pdfjs-dist/|smtp-server/)', '(^|/)packages/testkit/src/(arbitrary|documents|histories|servers)/'] },
  },
  {
    // These tools are programs, which run without a test runner.
    name: 'tools-import-only-the-testkit-of-programs',
    severity: 'error',
    from: { path: '^tools/(chaos|bench|peers|siege)/', pathNot: TEST_FILES },
    to: { path: '(^|/)packages/testkit/', pathNot: '(^|/)packages/testkit/(src|dist)/(programs|servers/mail-server)\\.(d\\.)?[jt]s$' },
  },
  {
    name: 'sources-never-import-test-files',
    severity: 'error',
    from: { pathNot: TEST_FILES },
    to: { path: TEST_FILES },
  },
  {
    // The dashboard's libraries are development dependencies, because an installation serves the built files.
    name: 'dashboard-imports-only-libraries-of-its-pages',
    severity: 'error',
    from: { path: '^apps/dashboard/src/', pathNot: TEST_FILES },
    to: {
      pathNot: [
        '^apps/dashboard/src/', '(^|/)packages/api-contract/src/', '^virtual:',
        '(^|/)node_modules/(@types/)?(react|react-dom|@mantine/[a-z]+|@tanstack/[a-z-]+|@simplewebauthn/browser|qrcode\\.react|recharts|dayjs|react-markdown|remark-gfm|lucide-react|@fontsource-variable/instrument-sans)/',
      ],
    },
  },
  {
    // Schemas stay in the gateway: zod alone would make up a tenth of the first download.
    name: 'dashboard-knows-types-of-the-contract-alone',
    severity: 'error',
    from: { path: '^apps/dashboard/src/', pathNot: TEST_FILES },
    to: { path: '(^|/)packages/api-contract/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'sources-import-only-declared-dependencies',
    severity: 'error',
    // A production install has no packages for the dashboard's build, the tools and the testkit, so only these may import them.
    from: { pathNot: [TEST_FILES, '^apps/dashboard/', '^tools/', '^packages/testkit/'] },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
  },
];

export const RULES: IFlattenedRuleSet = { forbidden: [...BOUNDARIES.map(ruleFor), ...PRODUCT_WIDE] };
