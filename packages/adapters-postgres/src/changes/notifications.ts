import type {
  AccountErasure, AccountId, AccountRepository, Change, ChangeNotifications, IssuerRecords, KeyRepository, OperatorControls, PersonRecords,
} from '@tollgate/core';

/** Tells of a change once it is in force. When it cannot be told, others find out when what they keep has become too old. */
async function announced<T>(changes: ChangeNotifications, change: Change, write: Promise<T>): Promise<T> {
  const result = await write;
  await changes.publish(change).catch(() => undefined);
  return result;
}

export function notifyingAccounts(accounts: AccountRepository, changes: ChangeNotifications): AccountRepository {
  return {
    findById: (id) => accounts.findById(id),
    findByEmail: (email) => accounts.findByEmail(email),
    suspensionReason: (id) => accounts.suspensionReason(id),
    list: (query) => accounts.list(query),
    create: (account, actor) => accounts.create(account, actor),
    change: (id, change, by) => announced(changes, { kind: 'account', id }, accounts.change(id, change, by)),
    moveStanding: (id, move, by) => announced(changes, { kind: 'account', id }, accounts.moveStanding(id, move, by)),
  };
}

export function notifyingErasure(erasure: AccountErasure, changes: ChangeNotifications): AccountErasure {
  return {
    dueForDeletion: (now, page) => erasure.dueForDeletion(now, page),
    ownerIsLastOperator: (id) => erasure.ownerIsLastOperator(id),
    deleteAccount: (id, from, by) => announced(changes, { kind: 'account', id }, erasure.deleteAccount(id, from, by)),
    eraseLeftovers: (id) => erasure.eraseLeftovers(id),
  };
}

export function notifyingKeys(keys: KeyRepository, changes: ChangeNotifications): KeyRepository {
  return {
    findByHash: (hash) => keys.findByHash(hash),
    listByAccount: (accountId) => keys.listByAccount(accountId),
    findById: (accountId, id) => keys.findById(accountId, id),
    page: (accountId, query) => keys.page(accountId, query),
    countActive: (accountId, at) => keys.countActive(accountId, at),
    firstCreationAfter: (accountId, since) => keys.firstCreationAfter(accountId, since),
    findPlaygroundKey: (accountId) => keys.findPlaygroundKey(accountId),
    createPlaygroundKey: (key, actor) => keys.createPlaygroundKey(key, actor),
    accountOf: (id) => keys.accountOf(id),
    spendingOf: (budget) => keys.spendingOf(budget),
    spendingOfAll: (budgets) => keys.spendingOfAll(budgets),
    create: (creation) => keys.create(creation),
    rotate: (rotation) => announced(changes, { kind: 'key', id: rotation.revokedId }, keys.rotate(rotation)),
    revoke: (accountId, id, by) => announced(changes, { kind: 'key', id }, keys.revoke(accountId, id, by)),
    change: (...[accountId, id, change, by]) => announced(changes, { kind: 'key', id }, keys.change(accountId, id, change, by)),
    setBlocked: (...[accountId, id, blocked, by]) => announced(changes, { kind: 'key', id }, keys.setBlocked(accountId, id, blocked, by)),
  };
}

export function notifyingControls(controls: OperatorControls, changes: ChangeNotifications): OperatorControls {
  const switched = <T>(write: Promise<T>): Promise<T> => announced(changes, { kind: 'platform', id: null }, write);
  return {
    setMaintenance: (maintenance, by) => switched(controls.setMaintenance(maintenance, by)),
    listBlocks: (query) => controls.listBlocks(query),
    findBlock: (target) => controls.findBlock(target),
    blockNetwork: (network, terms, by) => switched(controls.blockNetwork(network, terms, by)),
    unblockNetwork: (network, by) => switched(controls.unblockNetwork(network, by)),
    endExpiredBlocks: (by) => switched(controls.endExpiredBlocks(by)),
    listIncidentLimits: () => controls.listIncidentLimits(),
    setIncidentLimit: (limit, by) => switched(controls.setIncidentLimit(limit, by)),
    clearIncidentLimit: (model, by) => switched(controls.clearIncidentLimit(model, by)),
  };
}

/** Of what is done to people, verification and a change of address change their accounts. */
export function notifyingPeople(people: PersonRecords, changes: ChangeNotifications): PersonRecords {
  const publish = async (id: AccountId | null | undefined): Promise<void> => {
    if (id !== null && id !== undefined) await changes.publish({ kind: 'account', id }).catch(() => undefined);
  };
  return {
    find: (id) => people.find(id),
    findByEmail: (email) => people.findByEmail(email),
    listByRole: (role) => people.listByRole(role),
    register: (registration, by) => people.register(registration, by),
    vouch: async (id, account, by) => {
      const vouched = await people.vouch(id, account, by);
      await publish((await people.find(id))?.person.accountId);
      return vouched;
    },
    reinvite: (id, name, by) => people.reinvite(id, name, by),
    putToken: (token, at, by) => people.putToken(token, at, by),
    findToken: (hash, purpose, at) => people.findToken(hash, purpose, at),
    redeem: async (redemption) => {
      const person = await people.redeem(redemption);
      await publish(person?.accountId);
      return person;
    },
    changePassword: (change, by) => people.changePassword(change, by),
    rehash: (id, provenHash, passwordHash) => people.rehash(id, provenHash, passwordHash),
    rename: async (id, names, by) => {
      const person = await people.rename(id, names, by);
      if (names.accountName !== undefined) await publish(person?.accountId);
      return person;
    },
    setRole: (id, role, by) => people.setRole(id, role, by),
    // Accounts that go with them have no keys, so no gateway knows them.
    discardUnverified: (limit, by) => people.discardUnverified(limit, by),
    erase: (id, by) => people.erase(id, by),
  };
}

/** Someone who is admitted for the first time has an account that was made or verified then. */
export function notifyingIssuers(issuers: IssuerRecords, people: PersonRecords, changes: ChangeNotifications): IssuerRecords {
  return {
    admit: async (admission) => {
      const admitted = await issuers.admit(admission);
      const found = admitted.outcome === 'admitted' ? await people.find(admitted.personId) : null;
      const id = found?.person.accountId ?? null;
      if (id !== null) await changes.publish({ kind: 'account', id }).catch(() => undefined);
      return admitted;
    },
  };
}
