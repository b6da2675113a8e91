import { Button, type ButtonProps } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import classes from './playground.module.css';

interface HeadButtonProps extends Pick<ButtonProps, 'className' | 'disabled'> {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly onClick: () => void;
}

/** Shows no word in narrow windows, so that all buttons fit beside the title. */
export function HeadButton({ icon: Icon, label, className, ...props }: HeadButtonProps) {
  return <Button variant="default" {...props} className={`${classes['headButton']} ${className ?? ''}`} leftSection={<Icon size={16} aria-hidden="true" />} aria-label={label} title={label}><span className={classes['word']}>{label}</span></Button>;
}
