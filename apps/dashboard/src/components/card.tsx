import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './card.module.css';

interface CardProps {
  readonly title?: ReactNode;
  /** Stands at the right of the title. */
  readonly aside?: ReactNode;
  /** Names the region for screen readers, where the title is no plain text. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** A part of a page with a frame and, mostly, a title. */
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
