declare module 'fs-native-extensions' {
  /** Whether the open file is now locked by its descriptor. @throws an error of the system, such as ENOLCK */
  export function tryLock(fd: number): boolean;
}
