import { type LedgerTarget, slotTargets } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { NoAnswerError, type Requester } from '@decola/messaging';
import { defineFunction, denied, type FunctionDefinition, refusedFor } from '@decola/table-api';
import { keptNames, mostKept, storeKeepList } from '../keep-list/keep-list.js';
import { accountRefusals } from '../texts/texts.js';

/** People that one request to extraction returns at most. */
const pageOfList = 500;

interface Arguments {
  p_account_id: string;
  p_extracted_data_id: string;
}

interface Account {
  account_key: string;
  keep_list: string[];
}

/**
 * `import_keep_list`: adds everybody in one of the caller's lists to the keep list of their account. With the account's own "following" list this keeps
 * everybody whom the account follows now. Extraction owns lists, so they are asked for page by page.
 * @returns the number of people in the keep list afterwards
 */
export function importKeepList(requester: Requester): FunctionDefinition {
  return defineFunction({
    name: 'import_keep_list',
    arguments: { p_account_id: 'uuid', p_extracted_data_id: 'uuid' },
    returns: 'scalar',
    volatile: true,
    call: async ({ manager, caller }, args) => {
      const { p_account_id: id, p_extracted_data_id: extractedDataId } = args as unknown as Arguments;
      if (caller.role !== 'authenticated') throw denied(true, 'permission denied for function import_keep_list');
      const { userId } = caller;
      const account = await accountOf(manager, userId, id);
      if (!account) throw denied(false, 'permission denied for function import_keep_list');
      const people = await peopleOf(requester, { userId, accountKey: account.account_key, extractedDataId });
      if (people.length === 0) throw refusedFor(accountRefusals.listToKeepIsEmpty);
      // Read again with a lock: the list may have been edited while extraction answered.
      const { account_key: accountKey, keep_list: before } = (await accountOf(manager, userId, id, 'for update')) ?? account;
      const kept = keptNames([...before, ...people.map(({ username }) => username)]);
      if ('problem' in kept) throw refusedFor(accountRefusals.keepListName(kept.problem));
      if (kept.names.length > mostKept) throw refusedFor(accountRefusals.keepListTooLong(mostKept));
      await manager.query(`update instagram_accounts set keep_list = $2 where id = $1`, [id, kept.names]);
      await storeKeepList(manager, { userId, accountKey }, kept.names, people);
      return kept.names.length;
    },
  });
}

function accountOf(db: Database, userId: string, id: string, lock: '' | 'for update' = ''): Promise<Account | undefined> {
  return rowOf<Account>(db, `select account_key, keep_list from instagram_accounts where id = $1 and user_id = $2 ${lock}`, [id, userId]);
}

/** Everybody in a list, up to one person more than a keep list holds. Empty for a list of somebody else. */
async function peopleOf(
  requester: Requester,
  list: { userId: string; accountKey: string; extractedDataId: string },
): Promise<LedgerTarget[]> {
  const people: LedgerTarget[] = [];
  try {
    for (let offset: number | null = 0; offset !== null && people.length <= mostKept;) {
      const page: { targets: LedgerTarget[]; nextOffset: number | null } = await requester.ask(slotTargets, {
        ...list,
        offset,
        limit: pageOfList,
      });
      people.push(...page.targets);
      offset = page.nextOffset;
    }
  } catch (error) {
    if (error instanceof NoAnswerError) throw refusedFor(accountRefusals.listToKeepUnreadable);
    throw error;
  }
  return people;
}
