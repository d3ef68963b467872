/** The name of the driver of volumes that are folders, by which controllers and the kubelet know them. */
export { FOLDER_DRIVER } from './folder-driver.ts'
