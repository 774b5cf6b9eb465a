/** Only one system runs in a clone at a time, because all commands use the same database, virtual host and folders. */
import { runningSystem } from './endpoints.mjs';
import { describeHolder, LockedError, takeLock } from './lock.mjs';

/**
 * Takes the lock of this clone's system until this process ends. When another command holds it, prints that and exits; with status 0 when
 * the command is `npm start` and the system is already running.
 */
export async function lockSystemOrExit(command) {
  try {
    return takeLock('system', command);
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    const { holder } = error;
    const running = await runningSystem();
    if (running && command === 'npm start') {
      console.log(
        `Decola runs already: ${running.gateway} (log-in ${running.demo.email} / ${running.demo.password}). ` +
          `${describeHolder(holder)} keeps it: end it with Ctrl-C in its terminal.`,
      );
      process.exit(0);
    }
    console.error(
      `${describeHolder(holder)} has the system of this clone. Wait for it, or end it with Ctrl-C in its terminal, and run this again.`,
    );
    process.exit(1);
  }
}
