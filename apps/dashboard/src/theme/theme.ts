import { createTheme, Drawer, Menu, Modal, defaultVariantColorsResolver, Badge, type VariantColorsResolver } from '@mantine/core';

/** Fills take their text colour from the tokens: white on the light scheme's fill, dark on the dark scheme's. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  return input.variant === 'filled' ? { ...colors, color: 'var(--on-primary)' } : colors;
};

/** Values are in tokens.css; here stand only those that components read in JavaScript, and defaults of their properties. */
export const theme = createTheme({
  variantColorResolver,
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // The library's scroll lock writes style elements, which the pages' policy forbids; base.css does it.
    Modal: Modal.extend({ defaultProps: { lockScroll: false, centered: true, radius: 10, padding: 'lg', overlayProps: { backgroundOpacity: 0.45 } } }),
    Drawer: Drawer.extend({ defaultProps: { lockScroll: false, position: 'right' } }),
    // The placeholder that would take the focus instead of the first item is no child that a menu may have (axe: critical).
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Badge: Badge.extend({ defaultProps: { tt: 'none', variant: 'light', radius: 4, fw: 500 } }),
  },
});
