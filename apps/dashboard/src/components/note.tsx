import type { AriaRole, ReactNode } from 'react';
import classes from './note.module.css';

interface NoteProps {
  readonly kind: 'info' | 'good' | 'warning' | 'bad';
  readonly role?: AriaRole;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A message in the place that it is about. */
export function Note({ kind, role, action, children }: NoteProps) {
  return (
    <div className={`${classes['note']} ${classes[kind]} in-text`} role={role}>
      <div className={classes['text']}>{children}</div>
      {action}
    </div>
  );
}
