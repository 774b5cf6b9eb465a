/** Servers in containers for tests, by testcontainers. The library is imported only where a container engine answers. */
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { repositoryRoot, waitFor } from '../shell.mjs';

/**
 * Addresses at which a container engine of this machine may listen: DOCKER_HOST when it is set, else Docker's sockets (with and without
 * root). An engine on another machine is not used, because the ports of its containers would not be on this machine.
 */
function engineAddresses() {
  const { DOCKER_HOST, XDG_RUNTIME_DIR } = process.env;
  if (DOCKER_HOST) return [new URL(DOCKER_HOST)].filter(({ protocol, hostname }) => protocol === 'unix:' || isLoopback(hostname));
  const sockets = [
    '/var/run/docker.sock',
    ...(XDG_RUNTIME_DIR ? [path.join(XDG_RUNTIME_DIR, 'docker.sock')] : []),
    path.join(os.homedir(), '.docker/run/docker.sock'),
    path.join(os.homedir(), '.docker/desktop/docker.sock'),
    `/run/user/${process.getuid?.()}/docker.sock`,
  ];
  return sockets.filter((socket) => existsSync(socket)).map((socket) => new URL(`unix://${socket}`));
}

function isLoopback(hostname) {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/**
 * Whether the engine's API answers within 3 s. The connection is not kept (`agent: false`): the library loads for seconds without reading
 * from its sockets, and its first request would be written to a connection that the engine has closed meanwhile.
 */
function answersPing({ protocol, pathname, hostname, port }) {
  const where = protocol === 'unix:' ? { socketPath: pathname } : { host: hostname, port: port || 2375 };
  return new Promise((resolve) => {
    const request = http.get({ ...where, path: '/_ping', timeout: 3_000, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

/**
 * Inside a container, the ports of an engine's containers are on the host: they can be reached only when TESTCONTAINERS_HOST_OVERRIDE says
 * how.
 */
const portsAreElsewhere = () => existsSync('/.dockerenv') && !process.env.TESTCONTAINERS_HOST_OVERRIDE;

let engineAnswer;
/** Whether a container engine runs that this user may use and whose container ports are on this machine. Checked once. */
export function engineRuns() {
  const addresses = portsAreElsewhere() ? [] : engineAddresses();
  engineAnswer ??= Promise.all(addresses.map(answersPing)).then((answers) => answers.includes(true));
  return engineAnswer;
}

/** The image of a service, as docker-compose.yml names it. */
async function imageOf(service) {
  const { parse } = await import('yaml');
  return parse(readFileSync(path.join(repositoryRoot, 'docker-compose.yml'), 'utf8')).services[service].image;
}

/**
 * Starts a container from the image of a service of docker-compose.yml and waits until the server in it answers. The library removes the
 * container when this process ends, also when it is killed.
 * @param {object} server
 * @param {string} server.service name in docker-compose.yml
 * @param {number[]} server.ports ports of the container
 * @param {(...ports: number[]) => object} server.place returns the part's address for the ports on this machine to which `ports` are mapped
 * @param {(place: object) => Promise<boolean>} server.answers whether the server answers there
 * @param {Record<string, string>} [server.environment]
 * @param {string[]} [server.command]
 * @param {{ source: string; target: string }[]} [server.files] copied into the container before it starts; sources below the repository
 * @returns {Promise<object>} the part, with the container's id in `container`
 */
export async function startContainer({ service, ports, place, answers, environment = {}, command, files = [] }) {
  const { GenericContainer } = await import('testcontainers');

  class Server extends GenericContainer {
    /** Binds the ports to loopback only, because the passwords are in this repository. */
    beforeContainerCreated() {
      for (const binding of Object.values(this.hostConfig.PortBindings).flat()) binding.HostIp = '127.0.0.1';
    }
  }

  const image = await imageOf(service);
  let found;
  const isReady = {
    waitUntilReady: async (_container, bound) => {
      found = place(...ports.map((port) => bound.getBinding(port)));
      await waitFor(() => answers(found), { describe: `${service} in its container`, timeoutMs: 120_000, everyMs: 250 });
    },
    withStartupTimeout: () => isReady,
    isStartupTimeoutSet: () => false,
    getStartupTimeout: () => 120_000,
  };
  let server = new Server(image)
    .withExposedPorts(...ports)
    .withEnvironment(environment)
    .withCopyFilesToContainer(files.map(({ source, target }) => ({ source: path.join(repositoryRoot, source), target })))
    .withWaitStrategy(isReady);
  if (command) server = server.withCommand(command);
  const started = await server.start();
  return { ...found, container: started.getId() };
}
