/** Flags that begin like this open a part of the product: `module.chat`. */
export const MODULE_FLAG = 'module.';
