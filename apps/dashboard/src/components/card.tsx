import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './card.module.css';

interface CardProps {
  readonly title?: ReactNode;
  /** Shown right of the title. */
  readonly aside?: ReactNode;
  /** Accessible name, if the title is not plain text. */
  readonly label?: string;
  readonly children: ReactNode;
}

export function Card({ title, aside, label, children }: CardProps) {
  return (
    <section className={classes['card']} aria-label={label ?? (typeof title === 'string' ? title : undefined)}>
      {(title !== undefined || aside !== undefined) && (
        <div className={classes['head']}>
          {title !== undefined && <Title order={2} className={classes['title']}>{title}</Title>}
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
