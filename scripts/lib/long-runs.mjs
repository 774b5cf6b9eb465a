/**
 * Test files that are slow by nature or not yet reliable: `npm run test:long` runs them, `npm test` does not. `why` is printed with their
 * results; `minutes` is about what they take on 2 cores when nothing else runs. `npm test` runs a small form of those with `isSmallInGate`
 * (`casesOf` and `sizeOf` in libs/testing).
 *
 * @type {{ file: string; isSmallInGate?: true; minutes: number; why: string }[]}
 */
export const longRuns = [
  {
    file: 'apps/automations/test/changes-during-runs.medium.spec.ts',
    minutes: 2,
    why: 'every change of an automation during a run of every kind',
  },
  {
    file: 'apps/billing/test/edges.medium.spec.ts',
    minutes: 2,
    why: "waits for the product's real time-outs of a payment provider that does not answer",
  },
  { file: 'apps/billing/test/permutations.medium.spec.ts', minutes: 5, why: "720 orders of a subscription's events" },
  { file: 'apps/billing/test/trouble.medium.spec.ts', minutes: 2, why: 'restarts broker and database while payments are handled' },
  { file: 'apps/blog/test/approvals.medium.spec.ts', minutes: 1, why: 'longer than a minute: approvals over several days' },
  {
    file: 'apps/blog/test/customer-articles.medium.spec.ts',
    minutes: 1,
    why: 'longer than a minute: every way in which an article is not written',
  },
  { file: 'apps/blog/test/deliveries.medium.spec.ts', minutes: 2, why: 'waits for the steps of the ladder of deliveries' },
  { file: 'apps/blog/test/delivery-kills.medium.spec.ts', minutes: 2, why: 'kills the sender of articles at every step' },
  { file: 'apps/blog/test/wordpress-deliveries.medium.spec.ts', minutes: 2, why: 'a real WordPress with MariaDB and PHP' },
  { file: 'apps/blog/test/wordpress-pickup.medium.spec.ts', minutes: 1, why: 'a real WordPress with MariaDB and PHP' },
  { file: 'apps/blog/test/writing-kills.medium.spec.ts', minutes: 4, why: 'kills the writer of articles at every step' },
  { file: 'apps/blog/test/writing-months.medium.spec.ts', minutes: 2, why: 'three months of articles on a moved clock' },
  {
    file: 'apps/blog/test/writing.medium.spec.ts',
    minutes: 3,
    why: 'longer than two minutes: each failure of the language model, with its waits',
  },
  { file: 'apps/browser-worker/test/canary.medium.spec.ts', minutes: 4, why: 'every screen in every build and language of the site' },
  {
    file: 'apps/browser-worker/test/comment.medium.spec.ts',
    isSmallInGate: true,
    minutes: 3,
    why: 'every build and language of the site; the gate has one build',
  },
  { file: 'apps/browser-worker/test/containers.medium.spec.ts', minutes: 1, why: 'a container of runc, which needs root' },
  { file: 'apps/browser-worker/test/direct.medium.spec.ts', minutes: 3, why: 'direct messages in every build and language of the site' },
  {
    file: 'apps/browser-worker/test/false-alarms.medium.spec.ts',
    minutes: 3,
    why: 'a run for each of the things that look like an objection',
  },
  {
    file: 'apps/browser-worker/test/frozen-worker.medium.spec.ts',
    minutes: 2,
    why: 'freezes and kills workers with their browsers, and waits for leases of the real length',
  },
  { file: 'apps/browser-worker/test/interactions.medium.spec.ts', minutes: 3, why: 'reads likes and comments in every build of the site' },
  {
    file: 'apps/browser-worker/test/like.medium.spec.ts',
    isSmallInGate: true,
    minutes: 2,
    why: 'every build and language of the site; the gate has one build',
  },
  { file: 'apps/browser-worker/test/missing-keys.medium.spec.ts', minutes: 1, why: 'restarts workers and services with other keys' },
  {
    file: 'apps/browser-worker/test/objections.medium.spec.ts',
    isSmallInGate: true,
    minutes: 6,
    why: 'a run for each objection of the network at each place; the gate has one of each class',
  },
  {
    file: 'apps/browser-worker/test/post-objections.medium.spec.ts',
    isSmallInGate: true,
    minutes: 5,
    why: 'a run for each objection of the network to likes and comments; the gate has one of each class',
  },
  { file: 'apps/browser-worker/test/preview.medium.spec.ts', minutes: 4, why: 'previews of every kind of run in every build of the site' },
  {
    file: 'apps/browser-worker/test/resilience.medium.spec.ts',
    minutes: 3,
    why: 'crashed browsers, and 200 runs for the memory of a worker',
  },
  {
    file: 'apps/browser-worker/test/stories.medium.spec.ts',
    isSmallInGate: true,
    minutes: 3,
    why: 'every build and language of the site; the gate has one build',
  },
  {
    file: 'apps/browser-worker/test/story-and-message-objections.medium.spec.ts',
    isSmallInGate: true,
    minutes: 5,
    why: 'a run for each objection of the network to stories and messages; the gate has one of each class',
  },
  { file: 'apps/browser-worker/test/withheld-lists.medium.spec.ts', minutes: 3, why: 'withheld lists in every build of the site' },
  { file: 'apps/browser-worker/test/worker-kills.medium.spec.ts', minutes: 6, why: 'kills workers at 20 moments of runs of every kind' },
  {
    file: 'apps/browser-worker/test/worker.medium.spec.ts',
    minutes: 4,
    why: 'kills workers again and again, and waits for leases of the real length',
  },
  {
    file: 'apps/e2e/test/account-data.medium.spec.ts',
    minutes: 2,
    why: 'a system of its own; the journey account-data says the same in the gate',
  },
  { file: 'apps/e2e/test/fuzz.medium.spec.ts', minutes: 2, why: '20,000 malformed requests' },
  { file: 'apps/e2e/test/gallery.medium.spec.ts', minutes: 2, why: 'a picture of every state of the interface' },
  {
    file: 'apps/e2e/test/log-lines.medium.spec.ts',
    minutes: 2,
    why: 'a system of its own; the gate reads the logs of identity and of workers',
  },
  {
    file: 'apps/e2e/test/provisioning.medium.spec.ts',
    minutes: 1,
    why: 'makes all roles, schemas and migrations on a PostgreSQL 18 of its own',
  },
  {
    file: 'apps/e2e/test/rolling-restart.medium.spec.ts',
    minutes: 4,
    why: 'two replicas of every service, restarted one after another under load',
  },
  { file: 'apps/e2e/test/simulation.medium.spec.ts', minutes: 12, why: 'three days of 1,000 automations on a moved clock' },
  { file: 'apps/e2e/tests/accessibility.spec.ts', minutes: 3, why: 'axe over every page takes four minutes' },
  { file: 'apps/e2e/tests/articles.spec.ts', minutes: 3, why: 'a real WordPress with MariaDB and PHP' },
  { file: 'apps/e2e/tests/kill-matrix.spec.ts', minutes: 3, why: 'kills every process of a system under load' },
  { file: 'apps/e2e/tests/memory.spec.ts', minutes: 2, why: 'a list of 100,000 people' },
  {
    file: 'apps/e2e/tests/payment-trouble.spec.ts',
    minutes: 1,
    why: "waits for the product's real time-outs of a payment provider that does not answer",
  },
  { file: 'apps/e2e/tests/pictures.spec.ts', minutes: 2, why: 'pictures of all main screens in two widths and both themes' },
  { file: 'apps/e2e/tests/worker-kills.spec.ts', minutes: 5, why: 'workers killed at 20 moments, and 50 accounts shared by two workers' },
  { file: 'apps/extraction/test/large-list.medium.spec.ts', minutes: 1, why: 'a list of 100,000 rows' },
  { file: 'apps/extraction/test/spreadsheets.medium.spec.ts', minutes: 1, why: 'opens files in LibreOffice, which it installs' },
  {
    file: 'apps/gateway/test/key-rotation.medium.spec.ts',
    minutes: 1,
    why: 'two replicas of several services, whose keys are rotated under load',
  },
  { file: 'apps/prize-wheel/test/killed-draws.medium.spec.ts', minutes: 2, why: '2,000 visitors spin while replicas are killed' },
  {
    file: 'apps/sandbox-network/test/comments.medium.spec.ts',
    minutes: 1,
    why: "the stand-in for the network by itself; in the gate the worker's tests run against it",
  },
  {
    file: 'apps/sandbox-network/test/direct.medium.spec.ts',
    minutes: 1,
    why: "the stand-in for the network by itself; in the gate the worker's tests run against it",
  },
  {
    file: 'apps/sandbox-network/test/feed.medium.spec.ts',
    minutes: 1,
    why: "the stand-in for the network by itself; in the gate the worker's tests run against it",
  },
  {
    file: 'apps/sandbox-network/test/likes.medium.spec.ts',
    minutes: 1,
    why: "the stand-in for the network by itself; in the gate the worker's tests run against it",
  },
  {
    file: 'apps/sandbox-network/test/page.medium.spec.ts',
    minutes: 1,
    why: "the stand-in for the network by itself; in the gate the worker's tests run against it",
  },
  {
    file: 'apps/sandbox-network/test/refused-actions.medium.spec.ts',
    minutes: 1,
    why: "the stand-in for the network by itself; in the gate the worker's tests run against it",
  },
  {
    file: 'apps/sandbox-network/test/restart.medium.spec.ts',
    minutes: 1,
    why: "the stand-in for the network by itself; in the gate the worker's tests run against it",
  },
  {
    file: 'apps/sandbox-network/test/stories.medium.spec.ts',
    minutes: 1,
    why: "the stand-in for the network by itself; in the gate the worker's tests run against it",
  },
  { file: 'apps/wordpress-plugin/test/plugin.medium.spec.ts', minutes: 2, why: 'a real WordPress with MariaDB and PHP' },
  { file: 'libs/messaging/test/database-away.medium.spec.ts', minutes: 1, why: 'stops a PostgreSQL of its own' },
  { file: 'libs/messaging/test/leaderless-queue.medium.spec.ts', minutes: 1, why: 'kills nodes of a cluster of brokers' },
  { file: 'libs/messaging/test/newest-broker.medium.spec.ts', minutes: 2, why: 'all tests of events and jobs once more, on RabbitMQ 4' },
];
