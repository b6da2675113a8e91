/** Keys that operators make for an account. */
export const accountKeys = {
  createTitle: (who: string) => `Create a key for ${who}`,
  createHelp: 'You see the key once, to hand it to the customer. The customer’s activity shows that an operator created it.',
  edit: 'Edit key',
  changed: (name: string) => `Key “${name}” is changed.`,
} as const;

/** Texts for changing the address of an account and its owner. */
export const readdressing = {
  act: 'Change address',
  title: (who: string) => `Change the address of ${who}`,
  email: 'New e-mail address',
  help: 'The customer signs in with it from now on, with the same password and second factors. You vouch for the address; it is not verified by mail.',
  effect: 'All sessions of the customer end, and links that were mailed stop working. Both addresses get a message about the change.',
  handOver: 'To hand the account to another person, let that person reset the password afterwards: this removes everything by which the former owner signs in.',
  changed: (email: string) => `The address is ${email} now.`,
  isSame: 'The account already has this address. Nothing was changed.',
} as const;

export const renaming = {
  act: 'Change name',
  title: (who: string) => `Change the name of ${who}`,
  name: 'Name of the account',
  help: 'The owner sees this name, and new statements are issued to it.',
  changed: (name: string) => `The name is ${name} now.`,
} as const;
