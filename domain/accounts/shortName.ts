/** How people who write for everybody are named: `Anna O.` */
export const shortNameOf = ({
  firstName,
  lastName,
}: {
  readonly firstName: string;
  readonly lastName: string;
}): string => {
  const [initial] = lastName.trim();
  return [firstName.trim(), initial && `${initial}.`].filter(Boolean).join(' ');
};
