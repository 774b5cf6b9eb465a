/** The newest RabbitMQ that is supported, for tests beside those with the machine's own, which may be the oldest. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { obtainOfDebian13, replaceIn } from './debian-13.mjs';

const erlang = 'asn1,base,crypto,eldap,inets,mnesia,os-mon,parsetools,public-key,runtime-tools,ssl,syntax-tools,tools,xmerl';
const packages = [
  'rabbitmq-server',
  ...erlang.split(',').map((each) => `erlang-${each}`),
  ...['libc6', 'libcap2', 'libgcc-s1', 'libssl3t64', 'libstdc++6', 'libsystemd0', 'libtinfo6', 'libzstd1', 'zlib1g'],
];

/**
 * @returns {Promise<{ binary: string; env: Record<string, string> }>} the program for `startRabbitmq`, and what it needs in its environment
 * @throws MissingPartError when it cannot be obtained
 */
export async function obtainNewestRabbitmq({ log }) {
  const home = await obtainOfDebian13({
    name: 'RabbitMQ 4',
    folder: 'rabbitmq-4-1',
    packages,
    // Erlang's start script names the folder that it would be installed in.
    adapt: (made, root) =>
      replaceIn(path.join(made, 'usr/lib/erlang/bin/erl'), 'ROOTDIR=/usr/lib/erlang', `ROOTDIR=${root}/usr/lib/erlang`),
    log,
  });
  const erlangHome = path.join(home, 'usr/lib/erlang');
  const runtime = readdirSync(erlangHome).find((each) => each.startsWith('erts-'));
  const versions = path.join(home, 'usr/lib/rabbitmq/lib');
  const programs = [path.join(erlangHome, 'bin'), path.join(erlangHome, runtime, 'bin')];
  return {
    binary: path.join(versions, readdirSync(versions)[0], 'sbin/rabbitmq-server'),
    // The machine's own settings of RabbitMQ are left out.
    env: { PATH: [...programs, process.env.PATH].join(path.delimiter), ERL_ROOTDIR: erlangHome, RABBITMQ_CONF_ENV_FILE: '/dev/null' },
  };
}
