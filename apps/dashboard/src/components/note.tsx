import type { AriaRole, ReactNode } from 'react';
import classes from './note.module.css';

interface NoteProps {
  readonly kind: 'info' | 'good' | 'warning' | 'bad';
  readonly role?: AriaRole;
  /** True to make screen readers announce the note. */
  readonly announced?: boolean;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function Note({ kind, announced = false, role = announced ? 'status' : undefined, action, children }: NoteProps) {
  return (
    <div className={`${classes['note']} ${classes[kind]}`} role={role}>
      <div className={`${classes['text']} in-text`}>{children}</div>
      {action}
    </div>
  );
}
