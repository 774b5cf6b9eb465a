/** Simulated customers who use the system while processes are killed. Each remembers the writes that the system acknowledged. */
import { createAutomation, ensurePlan, ensureSlots, signIn, until } from '../customer.mjs';

const password = 'Segredo!123';

async function control(network, method, path, body) {
  const answer = await fetch(`${network}/_sandbox/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`sandbox network: ${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** Reads the ledger and the lists of the sandbox network, to compare the system's data with them. */
export class NetworkWitness {
  constructor(network) {
    this.network = network;
  }

  /** Entries of the network's ledger, oldest first. */
  async ledger(query) {
    const answer = await (await control(this.network, 'GET', `ledger?limit=20000&${query}`)).json();
    return Array.isArray(answer) ? answer : answer.entries;
  }

  async followersOf(username) {
    const text = await (await control(this.network, 'GET', `accounts/${username}/followers`)).text();
    return text.trim().split('\n').filter(Boolean).length;
  }

  account(account) {
    return control(this.network, 'POST', 'accounts', account);
  }

  /**
   * Creates an account whose lists are shown as a whole in every pass. Usually a pass loses an eighth of the rows, and a list ends short when a pass adds
   * nobody, kills or not; of a whole list every missing row is a fault.
   */
  async accountWithWholeLists(account) {
    await this.account(account);
    await control(this.network, 'PUT', `accounts/${account.username}/lists`, { lossRate: 0 });
  }

  async cookieOf(username) {
    return (await (await control(this.network, 'POST', 'sessions', { username })).json()).forms.header;
  }

  openCeilings() {
    const most = 1_000_000;
    const amounts = { follow: most, unfollow: most, list_page: most };
    return control(this.network, 'PUT', 'ceilings', { perHour: amounts, perDay: amounts });
  }
}

/** A customer with a plan, an extraction and a follow automation. */
export class Customer {
  /** Keywords whose insert was answered with success. */
  acknowledged = [];
  refusedWrites = 0;

  static async join(system, witness, { name, listOf, plan = 'premium' }) {
    const customer = new Customer();
    const endpoints = { gateway: system.url('gateway'), publishableKey: system.secrets.publishableKey };
    Object.assign(customer, { name, listOf, endpoints, email: `${name}@example.com`, account: name, plan });
    await witness.account({ username: name, followers: 40, following: 10, posts: 3 });
    const { client, userId } = await signIn(endpoints, { email: customer.email, password, fullName: 'Pessoa de Teste' });
    Object.assign(customer, { client, userId });
    await ensurePlan(client, plan);
    await ensureSlots(client, userId, 2);
    customer.cookie = await witness.cookieOf(name);
    const own = { userId };
    customer.list = await createAutomation(client, {
      ...own,
      name: `Lista de ${listOf}`,
      type: 'followers-following-extractor',
      configuration: { sessionCookie: customer.cookie, action: 'extract', method: 'user', extractionType: 'followers', targets: listOf },
    });
    customer.follow = await createAutomation(client, {
      ...own,
      name: 'Seguir',
      type: 'auto-follow-unfollow',
      configuration: {
        sessionCookie: '',
        sessionAccount: customer.list.configuration.sessionAccount,
        action: 'follow',
        method: 'hashtag',
        targets: '#cafe',
        rowsPerLaunch: 5,
        frequency: '15min',
      },
    });
    return customer;
  }

  /** Writes until `signal` is aborted. A write may fail while processes are killed, but an acknowledged one must never be lost. */
  async write(signal) {
    for (let number = 0; !signal.aborted; number += 1) {
      const keyword = `${this.name} ${number}`;
      const { error } = await this.client
        .from('user_keywords')
        .insert({ user_id: this.userId, keyword })
        .then(
          (answer) => answer,
          (failure) => ({ error: failure }),
        );
      if (error) this.refusedWrites += 1;
      else this.acknowledged.push(keyword);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  }

  async latestList() {
    const { data, error } = await this.client
      .from('extracted_data')
      .select('id, state, total_records')
      .eq('automation_id', this.list.id)
      .order('created_at', { ascending: false })
      .limit(1);
    if (error) throw new Error(error.message);
    return data[0];
  }

  /** Waits until the extraction has ended. */
  untilListIsOver(timeoutMs) {
    return until(
      `the list of ${this.listOf}`,
      async () => {
        const list = await this.latestList();
        if (['complete', 'ended_short'].includes(list?.state)) return list;
        throw new Error(JSON.stringify(list));
      },
      { timeoutMs, everyMs: 500 },
    );
  }
}
