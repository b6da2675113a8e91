import { exactCount } from '../../format/count';

export const notes = {
  label: 'Notes about this customer',
  help: 'Only operators see notes. They are erased with the account.',
  text: 'New note',
  add: 'Add note',
  none: 'No notes yet',
  noneHelp: 'Write down what the next operator should know.',
  edit: 'Edit',
  editOf: (note: string) => `Edit ${note}`,
  editTitle: 'Edit note',
  save: 'Save note',
  remove: 'Remove',
  removeOf: (note: string) => `Remove ${note}`,
  /** Part of the names of buttons. */
  noteOf: (at: string, beginning: string) => `the note of ${at}: “${beginning}”`,
  removeTitle: 'Remove this note?',
  removeEffect: 'The note is removed for all operators and cannot be restored.',
  removeAct: 'Remove note',
  changed: 'changed',
  /** Announced to screen readers. */
  done: { add: 'The note was added.', edit: 'The note was saved.', remove: 'The note was removed.' },
  left: (count: number) => `${exactCount(count)} characters left`,
} as const;
