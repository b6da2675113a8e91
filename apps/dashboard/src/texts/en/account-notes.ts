import { exactCount } from '../../format/count';

/** Notes of operators about a customer. */
export const notes = {
  label: 'Notes about this customer',
  help: 'Only operators see notes. They are erased with the account.',
  text: 'New note',
  add: 'Add note',
  none: 'No notes yet',
  noneHelp: 'Write down what the next operator should know.',
  edit: 'Edit',
  editTitle: 'Edit note',
  save: 'Save note',
  remove: 'Remove',
  removeTitle: 'Remove this note?',
  removeEffect: 'The note is removed for all operators and cannot be restored.',
  removeAct: 'Remove note',
  changed: 'changed',
  left: (count: number) => `${exactCount(count)} characters left`,
} as const;
