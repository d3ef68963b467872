/** The driver of volumes that are folders of the cluster's own; in StorageClasses, their provisioner. */
export const FOLDER_DRIVER = 'folder.homeostat.dev'
