import { expect, it } from "vitest";
import { isPublicAddress } from "./public-address.ts";

it.each(["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001:800::200e"])(
  "classifies %s as public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

it.each([
  ["loopback", "127.0.0.1"],
  ["loopback", "127.255.255.254"],
  ["loopback", "::1"],
  ["this host", "0.0.0.0"],
  ["this host", "::"],
  ["private", "10.0.0.1"],
  ["private", "172.16.0.1"],
  ["private", "192.168.1.1"],
  ["private", "fd00::1"],
  ["metadata", "169.254.169.254"],
  ["metadata", "fd00:ec2::254"],
  ["shared space and metadata", "100.100.100.200"],
  ["link-local", "fe80::1"],
  ["link-local with a zone", "fe80::1%eth0"],
  ["site-local", "fec0::1"],
  ["multicast", "224.0.0.1"],
  ["multicast", "ff02::1"],
  ["broadcast", "255.255.255.255"],
  ["reserved", "240.0.0.1"],
  ["reserved", "192.0.0.170"],
  ["benchmarks", "198.18.0.1"],
  ["documentation", "203.0.113.5"],
  ["documentation", "2001:db8::1"],
  ["IPv4 inside", "::ffff:169.254.169.254"],
  ["IPv4 inside", "::ffff:8.8.8.8"],
  ["IPv4 inside", "::127.0.0.1"],
  ["IPv4 inside", "64:ff9b::7f00:1"],
  ["IPv4 inside", "64:ff9b:1::a9fe:a9fe"],
  ["IPv4 inside", "2002:7f00:1::"],
  ["IPv4 inside", "2001:0:4136:e378::"],
  ["unassigned", "4000::1"],
  ["nothing", ""],
  ["a name", "localhost"],
])("classifies %s (%s) as not public", (_why, address) => {
  expect(isPublicAddress(address)).toBe(false);
});
